"""What happens to a URL, step by step in sentences, each with the URL as far as it is made: for `explain`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from weburl._core.percent import SETS, encode
from weburl._diagnosis.credentials import HIDDEN, without_inner_credentials
from weburl._diagnosis.escapes import ELLIPSIS, TAIL, VALUE, quoted
from weburl._diagnosis.host_story import host_sentences
from weburl._diagnosis.trace import Trace
from weburl._literal import LiteralURL, serialize_host, serialize_path
from weburl._literal.record import is_normalized_windows_drive_letter, is_windows_drive_letter
from weburl._literal.states import is_double_dot, is_single_dot
from weburl._unicode.encoding import UTF_8

# The most steps that tell of the path, and the most that one of them says.
PATH_STEPS: Final = 8
NOTES: Final = 4
PROGRAM: Final = frozenset({"javascript", "vbscript"})
# URLs that have another one inside.
INNER: Final = frozenset({"blob", "filesystem", "view-source", "feed", "jar"})
ANOTHER_URL: Final = re.compile(r"(?i)\A[\\/]?[a-z][a-z0-9+.-]*:[\\/]|\A[\\/]{1,2}(?=[^\\/]*\.)|[\\/]{2}\w[^\\/]*\.")
ENCODED_SLASH: Final = re.compile("%(?:2f|5c)", re.IGNORECASE)
ENCODED_TWICE: Final = re.compile("%25[0-9a-f]{2}", re.IGNORECASE)
ENDS_A_NAME: Final = re.compile(r"\w\.[^\W\d_]{2,}")
DOTS_AND_PARAMETER: Final = re.compile(r"\A(?:\.|%2e){1,2};", re.IGNORECASE)


class Step(NamedTuple):
    """A sentence, and what it does to the URL: so many of its characters are kept, and a text is added.

    `tells` says whether the sentence says more than which part a text is.
    """

    sentence: str
    kept: int
    added: str
    tells: bool


class Shown(NamedTuple):
    """A sentence, and the URL up to there without credentials."""

    sentence: str
    url: str


class Story:
    """The steps that make a URL of a text."""

    def __init__(self, trace: Trace, text: str, url: LiteralURL) -> None:
        self.steps: list[Step] = []
        self.trace = trace
        self.url = url
        self.length = 0
        # Where the credentials are in the URL.
        self.secrets: list[tuple[int, int]] = []
        self.tell_removed(text)
        self.tell_scheme()
        if url.host is not None:
            self.tell_authority()
        if url.has_opaque_path:
            self.tell_opaque_path()
        else:
            self.tell_path()
        self.tell_query()
        self.tell_fragment()

    def add(self, sentences: str | Sequence[str], added: str = "", *, kept: int | None = None, tells: bool) -> None:
        if not isinstance(sentences, str):
            sentences = " ".join(sentences)
        kept = self.length if kept is None else kept
        self.length = kept + len(added)
        self.steps.append(Step(sentences, kept, added, tells))

    @property
    def name(self) -> str:
        scheme = self.url.scheme
        return f"{'an' if scheme[0] in 'aefhio' and scheme != 'file' else 'a'} {scheme} URL"

    def tell_removed(self, text: str) -> None:
        start, end = self.trace.stripped
        if start or end:
            removed = quoted(text[:start] + text[len(text) - end :])
            sentence = f"{removed} around the URL is dropped: spaces and control characters there do not count."
            self.add(sentence, tells=True)
        inside = text[start : len(text) - end]
        found = [c for c in "\t\n\r" if c in inside]
        if found:
            names = " and ".join({"\t": "tabs", "\n": "newlines", "\r": "carriage returns"}[c] for c in found)
            # Credentials would be in it.
            read = "" if "@" in self.trace.input else f": what is read is {quoted(self.trace.input)}"
            self.add(f"All {names} are removed, also inside of words{read}.", tells=True)
        if self.trace.source.has_lone_surrogates:
            self.add("Half of a surrogate pair is not a character: U+FFFD takes its place.", tells=True)

    def tell_scheme(self) -> None:
        trace, url = self.trace, self.url
        colon = f"{url.scheme}:"
        written = trace.input[: trace.scheme_end]
        if not written:
            self.add(f"The URL has no scheme: {quoted(colon)} is the base's.", colon, tells=True)
        elif "relative_state" in trace.first or ("file_state" in trace.first and "host" in trace.base_parts):
            self.add(
                f"{quoted(written)} is the base's scheme, and no {quoted('//')} follows: the rest is a relative URL.",
                colon,
                tells=True,
            )
        elif url.scheme in PROGRAM:
            sentence = f"What follows {quoted(written)} is a program, which a browser runs: it is not an address."
            if url.host is not None:
                sentence += " What looks like a host is a comment in it."
            self.add(sentence, colon, tells=True)
        elif url.scheme == "data":
            sentence = f"{quoted(written)} means that the content is the URL itself: it is on no server."
            self.add(sentence, colon, tells=True)
        else:
            sentence = f"{quoted(written)} is the scheme."
            after = trace.input[trace.scheme_end : trace.scheme_end + 1]
            is_meant = True
            if len(url.scheme) == 1 and after in ("\\", "/"):
                is_meant = False
                sentence += " For a file of Windows on this drive, write file:///, or use URL.from_path()."
            elif url.has_opaque_path and after.isdigit() and ("." in url.scheme or url.scheme == "localhost"):
                is_meant = False
                sentence += " If it is meant as a host with a port, write http:// before it."
            self.add(sentence, colon, tells=not is_meant)

    def tell_authority(self) -> None:
        trace, url = self.trace, self.url
        if "authority_state" in trace.first:
            start = trace.first["authority_state"]
        elif "file_host_state" in trace.first:
            start = trace.first["file_host_state"]
        else:
            name = f"the base's, {quoted(serialize_host_of(url))}" if "host" in trace.base_parts else "empty"
            self.add(f"The host is {name}.", self.authority(), tells=True)
            return
        self.tell_slashes(trace.input[trace.scheme_end : start])
        if trace.credentials_end is not None:
            self.tell_credentials(trace.input[start : trace.credentials_end])
        self.tell_host()
        if url.port is not None or trace.part("port_state") is not None:
            self.tell_port(trace.part("port_state") or "")

    def authority(self) -> str:
        url = self.url
        output = f"//{self.credentials(self.length + 2)}{serialize_host_of(url)}"
        return output if url.port is None else f"{output}:{url.port}"

    def credentials(self, start: int) -> str:
        """The credentials with their @, which start there in the URL."""
        url = self.url
        if not url.includes_credentials:
            return ""
        self.secrets.append((start, start + len(url.username)))
        if not url.password:
            return f"{url.username}@"
        start += len(url.username) + 1
        self.secrets.append((start, start + len(url.password)))
        return f"{url.username}:{url.password}@"

    def tell_slashes(self, slashes: str) -> None:
        trace = self.trace
        if slashes == "//":
            if trace.scheme_end == 0:
                self.add("After two slashes at the start, a host follows.", "//", tells=True)
            else:
                self.add("After two slashes, a host follows.", "//", tells=False)
            return
        name = self.name
        if not slashes:
            sentence = f"Slashes are missing after the scheme: in {name}, a host follows all the same."
        elif "\\" in slashes:
            sentence = f"{quoted(slashes)} is read as '//': in {name}, a backslash is a slash. A host follows."
        else:
            sentence = f"{quoted(slashes)} is read as '//': in {name}, a host follows any number of slashes."
        self.add(sentence, "//", tells=True)

    def tell_credentials(self, written: str) -> None:
        url = self.url
        if not url.includes_credentials:
            self.add("The username before the @ is empty: it is dropped, with the @.", tells=True)
            return
        _, colon, password = written.partition(":")
        what = "a username and a password" if colon and password else "a username"
        sentences = [f"What comes before the @ is {what}, whatever it looks like: it is not the host."]
        if "@" in written:
            sentences.append("The last @ before the host counts.")
        if "\\" in written:
            sentences.append(f"A backslash is a plain character in a URL of the scheme {quoted(url.scheme)}.")
        self.add(sentences, self.credentials(self.length), tells=True)

    def tell_host(self) -> None:
        trace, url = self.trace, self.url
        state = "host_state" if "host_state" in trace.first else "file_host_state"
        written = trace.part(state) or ""
        if state == "file_host_state" and "path_start_state" not in trace.first:
            self.add(f"{quoted(written)} is a drive letter: it goes to the path, and the host is empty.", tells=True)
            return
        host = serialize_host_of(url)
        if not host:
            is_dropped = written != ""
            tell = f"{quoted(written)} is left out: the host of a file on this machine is empty."
            self.add(tell if is_dropped else "The host is empty.", tells=is_dropped)
            return
        end = trace.last[state]
        ended_by, after = trace.input[end : end + 1], trace.input[end + 1 : end + 2]
        sentences = []
        rest = trace.input[end : end + VALUE]
        if ended_by == "\\":
            named = f"The host is {quoted(written)}"
            sentences.append(f"{named}: it ends at the backslash, which is a slash in {self.name}.")
        elif ended_by in ("?", "#") and re.search(r"[@.]", rest):
            sentences.append(f"The host is {quoted(written)}: it ends at the {ended_by}.")
        is_named = bool(sentences)
        sentences += host_sentences(written, url.host)
        if ended_by == ":" and written.lower() in ("http", "https", "ftp") and after in ("/", "\\"):
            sentences.append(f"{quoted(written)} is the host here: the URL has a scheme before it.")
        tells = bool(sentences) or any(step.tells for step in self.steps)
        if not is_named and not (sentences and sentences[0].startswith(quoted(written))):
            sentences.insert(0, f"The host is {quoted(written)}.")
        self.add(sentences, host, tells=tells)

    def tell_port(self, written: str) -> None:
        port = self.url.port
        if port is None:
            what = "is the default port of the scheme" if written else "has no port after it"
            self.add(f"{quoted(':' + written)} {what}: it is dropped.", tells=written != "")
            return
        if port == 0:
            self.add("The port is 0, which is kept, though no server can be reached at it.", ":0", tells=True)
        elif written != str(port):
            self.add(f"The port is {port}: zeros before it are dropped.", f":{port}", tells=True)
        else:
            self.add(f"The port is {port}.", f":{port}", tells=False)

    def tell_opaque_path(self) -> None:
        trace, url = self.trace, self.url
        written = trace.part("opaque_path_state")
        if written is None:
            self.add("The path is the base's.", str(url.path), tells=True)
            return
        path = encode(written, SETS["c0-control"])
        if path.endswith(" "):
            path = f"{path[:-1]}%20"
        safe = without_inner_credentials(written)
        sentence = f"{quoted(safe)} is the path. It is opaque: a text without host, segments or parameters."
        if url.scheme in INNER:
            sentence += " A URL in it is only text here."
            if url.scheme == "blob":
                sentence += " Its origin counts as the origin of the blob."
        self.add(sentence, path, tells=True)

    def tell_path(self) -> None:
        trace, url = self.trace, self.url
        path = serialize_path(url)
        before = self.length
        if "path_state" in trace.first:
            start = trace.first["path_state"]
            if "file_host_state" in trace.first and "path_start_state" not in trace.first:
                start = trace.first["file_host_state"]
            segments = list(trace.base_path)
            if segments:
                taken = "".join(f"/{segment}" for segment in segments)
                self.add(f"The path starts as the base's: {quoted(taken)}.", taken, tells=True)
            PathStory(self, segments, trace.input[start : trace.last["path_state"]], start).tell()
        elif path:
            self.add("The path is the base's.", path, tells=True)
        if url.host is None and path[:2] == "//":
            sentence = "'/.' goes before the path: its two slashes would start a host."
            self.add(sentence, f"/.{path}", kept=before, tells=True)

    def tell_query(self) -> None:
        trace, url = self.trace, self.url
        if url.query is None:
            return
        written = trace.part("query_state")
        if written is None:
            self.add("The query is the base's.", f"?{url.query}", tells=True)
            return
        if trace.encoding is UTF_8:
            query = encode(written, SETS["special-query" if url.is_special else "query"])
            sentence = f"{quoted(written)} after the ? is the query."
            tells = False
        else:
            query = url.query
            tells = query != written
            sentence = f"{quoted(written)} after the ? is the query, encoded in {trace.encoding.name}."
        if "@" in written or ANOTHER_URL.search(written):
            sentence += " A host in it is only text."
            tells = True
        self.add(sentence, f"?{query}", tells=tells)

    def tell_fragment(self) -> None:
        trace, url = self.trace, self.url
        if url.fragment is None:
            return
        written = trace.part("fragment_state") or ""
        sentence = f"{quoted(written)} after the # is the fragment, which is not sent to the server."
        self.add(sentence, f"#{encode(written, SETS['fragment'])}", tells=re.search("[@?/]", written) is not None)


class PathStory:
    """The steps of a path: the segments of a text, which follow those of the base."""

    def __init__(self, story: Story, segments: list[str], written: str, start: int) -> None:
        self.story = story
        self.written = written
        self.start = start
        self.is_special = story.url.is_special
        self.is_file = story.url.scheme == "file"
        self.segments = segments
        # The segment as it is written, and where it ends in the URL, after the path of the base.
        self.origins = list(segments)
        self.ends = [story.length - sum(len(s) + 1 for s in segments)]
        for segment in segments:
            self.ends.append(self.ends[-1] + len(segment) + 1)
        # What no step has told yet: as it is written, as it is added, and what there is to say.
        self.plain: list[str] = []
        self.added: list[str] = []
        self.notes: list[str] = []
        self.has_backslash = "path_start_state" in story.trace.first and story.trace.input[start - 1 : start] == "\\"
        self.more = 0
        self.steps = 0

    def tell(self) -> None:
        is_at_end = False
        pieces = re.split(r"([/\\])" if self.is_special else "(/)", self.written)
        before = "" if self.start == 0 else self.story.trace.input[self.start - 1]
        before = before if before == "/" or (before == "\\" and self.is_special) else ""
        for i in range(0, len(pieces), 2):
            segment = pieces[i]
            is_at_end = i + 1 == len(pieces)
            dots = is_single_dot(encoded(segment)) or is_double_dot(encoded(segment))
            if dots:
                self.flush()
                self.tell_dots(before, segment, is_at_end)
            else:
                self.push(before, segment, is_at_end)
            before = "" if is_at_end else pieces[i + 1]
        self.flush(last=True)

    @property
    def has_room(self) -> bool:
        return self.steps < PATH_STEPS

    def push(self, before: str, segment: str, is_at_end: bool) -> None:
        value = encoded(segment)
        if self.is_file and not self.segments and is_windows_drive_letter(value):
            if value[1] == "|":
                self.notes.append(f"{quoted(segment)} is a drive letter, written {quoted(value[0] + ':')}.")
            value = f"{value[0]}:"
        if before == "\\":
            self.notes += self.backslash_note()
        if len(self.notes) < NOTES:
            if "." in segment and self.segments and self.segments[-1] == "" and ENDS_A_NAME.search(segment):
                self.notes.append(f"{quoted('//' + segment)} is in the path, and does not start a host.")
            else:
                self.notes += segment_notes(segment)
        self.plain.append(before + segment)
        self.append(value, segment)

    def backslash_note(self) -> list[str]:
        """Said once, unless the end of the host says it."""
        if self.has_backslash:
            return []
        self.has_backslash = True
        return [f"A backslash is a slash in {self.story.name}."]

    def append(self, value: str, origin: str) -> None:
        self.segments.append(value)
        self.origins.append(origin)
        self.ends.append(self.ends[-1] + len(value) + 1)
        self.added.append(f"/{value}")

    def tell_dots(self, before: str, segment: str, is_at_end: bool) -> None:
        is_double = is_double_dot(encoded(segment))
        name = quoted(segment)
        if segment not in (".", ".."):
            name += f" is {quoted('..' if is_double else '.')}: it"
        if not is_double:
            sentence = f"{name} stands for the same place, and is left out."
        elif self.segments and not (
            self.is_file and len(self.segments) == 1 and is_normalized_windows_drive_letter(self.segments[0])
        ):
            self.segments.pop()
            self.ends.pop()
            sentence = f"{name} removes the segment before it, {quoted(self.origins.pop())}."
        elif self.segments:
            sentence = f"{name} removes nothing: a drive letter stays."
        else:
            sentence = f"{name} removes nothing: the path is at its start."
        kept, added = self.ends[-1], ""
        if is_at_end:
            self.segments.append("")
            self.origins.append("")
            self.ends.append(kept + 1)
            added = "/"
        if self.has_room:
            self.steps += 1
            note = self.backslash_note() if before == "\\" else []
            self.story.add([*note, sentence], added, kept=kept, tells=True)
        else:
            # The last step has all the rest.
            self.more += 1

    def flush(self, *, last: bool = False) -> None:
        if not self.has_room and last and (self.more or self.added):
            path = self.ends[0]
            rest = "".join(f"/{segment}" for segment in self.segments)
            sentence = "The rest of the path is read in the same way."
            if self.more:
                sentence = f"{sentence[:-1]}, with {self.more} more segments of dots."
            self.story.add(sentence, rest, kept=path, tells=True)
        elif self.has_room and self.added:
            self.steps += 1
            plain = f"{quoted(''.join(self.plain))} is in the path."
            self.story.add(self.notes or plain, "".join(self.added), tells=bool(self.notes))
        else:
            return
        self.plain, self.added, self.notes = [], [], []


def segment_notes(segment: str) -> Iterator[str]:
    if "@" in segment:
        yield f"{quoted(segment)} is a segment of the path, not a host."
    elif segment[-1:] == ":" and segment[:-1].isalpha() and len(segment) > 2:
        yield f"{quoted(segment)} is a segment of the path, not a scheme."
    if DOTS_AND_PARAMETER.match(segment):
        yield f"{quoted(segment)} removes nothing, because of the semicolon; some servers think otherwise."
    if ENCODED_TWICE.search(segment):
        yield f"{quoted(segment)} stays as it is: %25 is an encoded percent sign, and nothing is decoded."
    elif ENCODED_SLASH.search(segment):
        yield f"{quoted(segment)} stays one segment: an encoded slash does not divide it; some servers think otherwise."


def encoded(segment: str) -> str:
    return segment if len(segment) == 0 else encode(segment, SETS["path"])


def serialize_host_of(url: LiteralURL) -> str:
    assert url.host is not None
    return serialize_host(url.host)


def spell(steps: Sequence[Step]) -> str:
    """The URL that the steps make."""
    made = ""
    for step in steps:
        made = made[: step.kept] + step.added
    return made


def story(trace: Trace, text: str, url: LiteralURL) -> list[Shown]:
    """The steps that tell something."""
    told = Story(trace, text, url)
    shown = []
    made = ""
    for step in told.steps:
        made = made[: step.kept] + step.added
        if step.tells:
            shown.append(Shown(step.sentence, hidden(made, told.secrets, url.has_opaque_path)))
    return shown


def hidden(made: str, secrets: list[tuple[int, int]], is_opaque: bool) -> str:
    """The URL without credentials, and of a long one its start and its end."""
    if is_opaque:
        scheme, colon, path = made.partition(":")
        made = f"{scheme}{colon}{without_inner_credentials(path)}"
    for start, end in reversed(secrets):
        if start < end <= len(made):
            made = f"{made[:start]}{HIDDEN}{made[end:]}"
    return made if len(made) <= 2 * VALUE else f"{made[: 2 * VALUE - TAIL - 1]}{ELLIPSIS}{made[-TAIL:]}"
