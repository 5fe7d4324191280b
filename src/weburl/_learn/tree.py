"""From templates of paths with their counts to routes: a tree of segments for each host, with placeholders."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from weburl._named_tuple import NamedTuple
from weburl.errors import InvalidURL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

OTHER: Final = "{other}"
# The rest of a path: its segments, of any number.
PATH: Final = "{path}"
ANY_WORD: Final = "{slug}"
# Of literal segments beside each other, so many may be names. If there are more, they are values.
FANS: Final = (32, 6)
# So many values may stay.
FEW: Final = 12
# A literal in fewer lines is not shown: it may be a name of a person. Words that many sites have are.
FEWEST_LINES: Final = 10
# Names among values have so many times the lines of the most frequent value; the first one alone needs more.
GAP: Final = 4
GAP_OF_ONE: Final = 8
MOST_NAMES: Final = 64
# Routes of so many lengths, whose ends are values, are of a tree of files.
DEPTHS: Final = 3
# So many hosts with one parent are values, too.
HOSTS: Final = 24
# A placeholder is a part of another, for which its values can be taken by chance, if it has less than this share of the
# lines of that.
SHARE: Final = 0.1
# For which placeholders the values of a key can be taken by chance.
TAKEN_FOR: Final = {"int": ("hex", "id"), "hex": ("id", "slug"), "id": ("slug",), "slug": ("id",)}
# What a placeholder matches. The others match any segment, so that a node has one of them.
STRICT: Final = {
    "int": r"\d+",
    "date": (
        r"(?:19|20)\d\d(?:-?W\d\d|[_\-](?:0[1-9]|1[0-2])|-\d\d?-\d\d?|_\d\d?_\d\d?)"
        r"|\d{4}-\d\d-\d\d|\d\d?-\d\d?-(?:19|20)\d\d|\d\d?_\d\d?_(?:19|20)\d\d"
    ),
    "hex": r"[\dA-Fa-f]{8,}",
    "uuid": r"[\dA-Fa-f]{8}(?:-[\dA-Fa-f]{4}){3}-[\dA-Fa-f]{12}",
}
ORDER: Final = list(STRICT)
MATCHES: Final = {name: re.compile(pattern).fullmatch for name, pattern in STRICT.items()}
PLACEHOLDER: Final = re.compile(r"\{([a-z]+)\}")
# What a segment has at its end that had matrix parameters.
PARAMETERS: Final = ";{value}"
PARAMETERS_OF_FILES: Final = re.compile(r";\{value\}\.[^/]+")
EXTENSION: Final = re.compile(r"(?<=.)\.[A-Za-z][A-Za-z0-9]{0,4}\Z")
# Many sites have files of these. Others may be parts of a name.
EXTENSIONS: Final = frozenset(
    """
    asc asp aspx atom bin bmp br bz2 cgi class css csv dat db do doc docx eot epub exe gif gz htm html ico ics
    ini iso jar jpeg jpg js json jsp log m3u8 map md md5 mjs mov mp3 mp4 mpeg ogg otf pdf php pl png ppt pptx ps
    py rar rss rtf sh sha1 shtml sig sql svg swf tar tgz tif tiff ts tsv ttf txt vcf wasm wav webm webp woff
    woff2 xhtml xls xlsx xml xsd xz yaml yml zip zst
    """.split()
)
# A file that is packed, signed or summed up has the extension of the file before its own, as `.tar.gz` has.
# summary.pyx has the same ones.
PACKED: Final = frozenset("asc br bz2 gz map md5 sha1 sig xz zst".split())
LOCALE: Final = re.compile(r"[a-z]{2}([-_][A-Za-z]{2,4})?\Z")
PREFIX: Final = re.compile(r"[A-Za-z]*[-_~@:!$]")
# So many of the values have a text before them that hardly others have.
PREFIXED: Final = 0.05
MARK: Final = re.compile(r"[^A-Za-z0-9_-]")
SIGN: Final = re.compile(r"[^A-Za-z0-9]")
# Numbers of a segment with a text around them, and the bytes of that text; as in summary.pyx.
MOST_NUMBERS: Final = 5
LONGEST_AROUND: Final = 40
DIGITS: Final = re.compile(r"\d+")
# How emoji and other signs begin.
SIGNS: Final = re.compile(r"%(?:E2|F0%9F)", re.IGNORECASE)
# Of the lines a name has so many among values, and of the values so few are like it.
ODD: Final = 0.01
# What so many of the nodes beside each other have, they have in common.
COMMON: Final = 0.7
NEARLY_ALL: Final = 0.9
# A node has at most so many placeholders with a text around them.
MOST_MASKS: Final = 6
LETTER: Final = re.compile(r"[a-z]")
CAPITAL: Final = re.compile(r"[A-Z]")
# The first segments, and actions, of many sites: no sites give these names to users.
WORDS: Final = frozenset(
    """
    about abuse account accounts action actions activity add admin affiliate all analytics api app apps archive
    archives article articles asset assets auth author authors avatar avatars basket billing blog blogs board
    bookmarks books brand brands browse build buy cache calendar callback careers cart catalog categories category
    change channel channels chat checkout clear client clients close cloud collection collections comment comments
    commit commits community compare complete config confirm connect contact contacts content cookies copy count
    coupon coupons create css customer customers dashboard data delete demo details developers devices discover
    discussions docs documentation documents download downloads edit email embed error events explore export faq
    favicon.ico favorites featured feed feedback file files filter find followers following fonts forgot forks forum
    forums gallery graphql group groups health healthz help history home hooks icons image images img import imprint
    inbox index index.html info install integrations invite invoice invoices issues item items job jobs join js json
    jump labels latest legal library license like likes link list lists live load locations log login logout logs
    mail manage map maps media members menu message messages metrics mobile more move my name new news newsletter
    notes notification notifications oauth oauth2 offers open options order orders page pages partners password pay
    payment payments photo photos ping plans policy popular post posts preferences press preview pricing print
    privacy private process product products profile profiles project projects public publish pulls purchase query
    questions quote random rating ratings read ready recent redirect refresh refund register releases remove reply
    report reports repos reset resources rest results returns review reviews robots.txt rss run sale save schedule
    search security send services session sessions set settings setup share shipping shop show sign-in sign-up
    signin signout signup site sitemap sitemap.xml sites sort source stars start stat static stats status store
    stores stories story stream style submit subscribe subscription subscriptions success support sync system tag
    tags task tasks team teams template templates terms test themes thread threads ticket tickets timeline token
    tools top topic topics tos track tracking transactions tree trending unsubscribe update updates upload uploads
    user users v1 v2 v3 validate verify version versions video videos view views wallet watch webhook webhooks
    welcome wiki wishlist
    """.split()
)


class Node:
    """The rest of paths that begin alike: their segments, and in how many lines they are.

    `seen` are the lines of the texts that are kept, `lines` those of all texts that these stand for. `texts` is how
    many were kept, and `weight` for how many segments this one stands: it is that of a text that is alone. `fresh` are
    those lines that end here, and that no old route has. `left_out` are children that get no route.
    `files` are `ends`, `seen_ends` and `fresh` of each extension.
    """

    __slots__ = (
        "children", "ends", "ends_texts", "files", "fresh", "left_out", "lines", "seen", "seen_ends", "texts", "weight",
    )  # fmt: skip

    def __init__(self) -> None:
        self.children: dict[str, Node] = {}
        self.left_out: dict[str, Node] = {}
        self.files: dict[str, tuple[int, int, int]] = {}
        self.lines = self.seen = self.texts = 0
        self.ends = self.seen_ends = self.ends_texts = self.fresh = 0
        self.weight = 1

    def count(self, lines: int, weight: int) -> None:
        self.lines += lines * weight
        self.seen += lines
        self.texts += 1
        self.weight = weight if self.texts == 1 else 1

    def add(self, segments: Sequence[str], lines: int, weight: int, fresh: int) -> None:
        node = self
        node.count(lines, weight)
        for segment in segments:
            child = node.children.get(segment)
            if child is None:
                child = node.children[segment] = Node()
            node = child
            node.count(lines, weight)
        node.ends += lines * weight
        node.seen_ends += lines
        node.ends_texts += 1
        node.fresh += fresh
        node.add_files(extension_of(segments[-1]), (lines * weight, lines, fresh))

    def add_files(self, extension: str, counts: tuple[int, int, int]) -> None:
        ends, seen, fresh = self.files.get(extension, (0, 0, 0))
        self.files[extension] = ends + counts[0], seen + counts[1], fresh + counts[2]

    def merge(self, other: Node) -> None:
        """Takes what the other node has, which then is not used."""
        self.lines += other.lines
        self.seen += other.seen
        self.texts += other.texts
        self.ends += other.ends
        self.seen_ends += other.seen_ends
        self.ends_texts += other.ends_texts
        self.fresh += other.fresh
        self.weight = 1
        for extension, counts in other.files.items():
            self.add_files(extension, counts)
        for mine, others in ((self.children, other.children), (self.left_out, other.left_out)):
            for segment, child in others.items():
                own = mine.get(segment)
                if own is None:
                    mine[segment] = child
                else:
                    own.merge(child)

    @property
    def size(self) -> int:
        """The lines of the segment itself: what is alone stands for others, but not for more lines of its own."""
        return self.seen if self.texts == 1 else self.lines

    def take(self, segments: Iterable[str], placeholder: str) -> None:
        """Makes children one, at the placeholder."""
        taken = [self.children.pop(segment) for segment in segments]
        own = self.children.get(placeholder)
        if own is None and taken:
            own = self.children[placeholder] = Node()
        for node in taken:
            assert own is not None
            own.merge(node)


class Found(NamedTuple):
    """A route: its host, its segments, in how many lines it is, and in how many that no old route has."""

    host: str
    segments: tuple[str, ...]
    lines: int
    fresh: int


def find_routes(
    rows: Sequence[tuple[str, int, int]], most: int, share: int = 0, fresh: Mapping[str, int] | None = None
) -> list[Found]:
    """At most so many routes, of texts with their lines, and with how many such texts each stands for.

    Lines that no route has are not among them. Of texts with less than a share of the lines, there is only a sample.
    `fresh` are the lines of texts that no old route has; without it, there are no old routes.
    """
    by_host: dict[str, list[Found]] = {}
    for fan in FANS:
        trees = grow(rows, fresh)
        # Only the hosts with more than their share of the routes get fewer names.
        shared = most // max(len(trees), 1)
        for host, node in trees.items():
            if host not in by_host or len(by_host[host]) > shared:
                generalize(node, fan, share)
                unite_frequent(node)
                unite_rare(node, fan, share)
                unite_parallel([node])
                # There are new values, which some of the rest are like.
                unite_rare(node, fan, share)
                for child in node.children.values():
                    unite_files(child)
                by_host[host] = [Found(host, *end) for end in ends(node, ())]
        if sum(map(len, by_host.values())) <= most:
            break
    found = [each for some in by_host.values() for each in some]
    if len(found) > most:
        found = sorted(found, key=lambda each: (-each.lines, each))[: max(most, 0)]
    return sorted(found, key=in_order)


def grow(rows: Iterable[tuple[str, int, int]], fresh: Mapping[str, int] | None) -> dict[str, Node]:
    """A tree for each host, or for all hosts with one parent if there are many of them, and one owner has that."""
    trees: dict[str, Node] = {}
    for text, lines, weight in rows:
        host, _, path = text.partition("/")
        if host not in trees:
            trees[host] = Node()
        trees[host].add(
            PARAMETERS_OF_FILES.sub(PARAMETERS, path).split("/"),
            lines,
            weight,
            lines if fresh is None else fresh.get(text, 0),
        )
    parents: dict[str, list[str]] = {}
    for host in trees:
        parents.setdefault(host.partition(".")[2], []).append(host)
    seen = frozenset(trees)
    for parent, hosts in parents.items():
        if len(hosts) > HOSTS and has_one_owner(parent, seen):
            common = Node()
            for host in sorted(hosts):
                common.merge(trees.pop(host))
            trees[f"*.{parent}"] = common
    return {host: node for host, node in trees.items() if node.seen >= FEWEST_LINES}


def has_one_owner(parent: str, seen: frozenset[str]) -> bool:
    """Whether the hosts below a parent, which may have a port, are of one owner.

    Without a list of public suffixes, the parent has to be one of the hosts, too.
    """
    name, _, port = parent.partition(":")
    if name.rpartition(".")[2].isdigit() or "." not in name or "[" in name or not (port.isdigit() or not port):
        return False
    from weburl._hosts.suffixes import registrable_domain

    try:
        return registrable_domain(name) is not None
    except InvalidURL:
        return False
    except ImportError:
        return parent in seen or f"www.{parent}" in seen


def ends(node: Node, segments: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], int, int]]:
    if node.ends:
        lines = node.seen_ends if node.ends_texts == 1 else node.ends
        # In a sample, the fresh ones are a share.
        yield segments, lines, -(-lines * node.fresh // node.seen_ends)
    for segment, child in node.children.items():
        yield from ends(child, (*segments, segment))


def generalize(node: Node, fan: int, share: int) -> None:
    """Replaces children whose segments are values by children at placeholders, and leaves out rare literals."""
    words: dict[str, list[str]] = {}
    mixed: dict[str, list[str]] = {}
    rare: list[tuple[str, str]] = []
    hide_rare(node)
    for segment in node.children:
        if "{" not in segment.removesuffix(PARAMETERS):
            words.setdefault(extension_of(segment), []).append(segment)
        elif segment != OTHER and placeholder_of(segment) is None:
            mixed.setdefault(extension_of(segment), []).append(segment)
    for extension, segments in words.items():
        if found := prefixed(segments, extension):
            node.take(found[1], found[0])
            segments = [segment for segment in segments if segment in node.children]
        names = names_among(node, segments, fan, share)
        values = sorted(set(segments) - names)
        for mask, numbered in masks(values, extension):
            node.take(numbered, mask)
        for segment in values:
            if segment in node.children and (sibling := sibling_for(node, segment, extension)):
                node.take([segment], sibling)
        node.take([segment for segment in values if segment in node.children], ANY_WORD + extension)
        for segment in names:
            if node.children[segment].seen < FEWEST_LINES and segment and segment not in WORDS:
                rare.append((segment, extension))
    for extension, segments in mixed.items():
        if len(segments) > FEW:
            node.take(sorted(segments), "{id}" + extension)
    loose = loose_ones(node)
    for segment, extension in rare:
        leave_out(node, segment, extension, loose)
    unite(node)
    for child in node.children.values():
        generalize(child, fan, share)


def hide_rare(node: Node) -> None:
    """Makes values of the segments with a text around a placeholder in few lines, and of extensions in few lines."""
    by_extension: dict[str, list[str]] = {}
    for segment, child in list(node.children.items()):
        extension = extension_of(segment)
        by_extension.setdefault(extension, []).append(segment)
        if (
            child.seen < FEWEST_LINES
            and "{" in segment.removesuffix(PARAMETERS)
            and segment != OTHER
            and placeholder_of(segment) is None
        ):
            by_extension[extension][-1] = "{id}" + extension
            node.take([segment], "{id}" + extension)
    for extension, segments in by_extension.items():
        if EXTENSIONS.issuperset(extension.removesuffix(PARAMETERS).lower().split(".")[1:]):
            continue
        found = [segment for segment in dict.fromkeys(segments) if segment not in WORDS]
        if sum(node.children[segment].seen for segment in found) < FEWEST_LINES:
            # The literals are rare, too.
            rest = PARAMETERS if extension.endswith(PARAMETERS) else ""
            node.take([segment for segment in found if "{" in segment.removesuffix(PARAMETERS)], "{id}" + rest)


def masks(segments: list[str], extension: str) -> list[tuple[str, list[str]]]:
    """Segments that differ only in their numbers, as `page7.html` and `page8.html`."""
    found: dict[str, list[str]] = {}
    for segment in segments:
        mask = DIGITS.sub("{int}", segment[: len(segment) - len(extension)])
        if is_numbered(mask):
            found.setdefault(mask + extension, []).append(segment)
    large = [(mask, each) for mask, each in sorted(found.items()) if len(each) > FEW]
    return large if len(large) <= MOST_MASKS else []


def is_numbered(mask: str) -> bool:
    """Whether summary.pyx can tell such texts from others with numbers."""
    texts = mask.split("{int}")
    around = "".join(texts)
    return (
        2 <= len(texts) <= MOST_NUMBERS + 1
        and len(around) <= LONGEST_AROUND
        and "%" not in around
        and around.strip("-_") != ""
        and all(map(SIGN.search, texts[1:-1]))
    )


def prefixed(segments: list[str], extension: str) -> tuple[str, list[str]] | None:
    """Values with a text of their own before them, as `in-` is in `/jobs/in-berlin` beside other values."""
    numbered = {segment for _, each in masks(segments, extension) for segment in each}
    found: dict[str, list[str]] = {}
    for segment in sorted(segments):
        match = PREFIX.match(segment)
        if match and match.end() < len(segment) - len(extension) and segment not in WORDS and segment not in numbered:
            found.setdefault(match[0], []).append(segment)
    ranked = sorted(found, key=lambda prefix: -len(found[prefix]))
    if not ranked:
        return None
    most = len(found[ranked[0]])
    next_one = len(found[ranked[1]]) if len(ranked) > 1 else 0
    if most <= FEW or most < PREFIXED * len(segments) or most < GAP_OF_ONE * next_one:
        return None
    return ranked[0] + ANY_WORD + extension, found[ranked[0]]


def sibling_for(node: Node, segment: str, extension: str) -> str | None:
    """The placeholder among the children whose pattern matches a value."""
    stem = segment[: len(segment) - len(extension)]
    found = (f"{{{name}}}{extension}" for name, matches in MATCHES.items() if matches(stem))
    return next((each for each in found if each in node.children), None)


def leave_out(node: Node, segment: str, extension: str, loose: Mapping[str, str]) -> None:
    """A rare literal: a value if there are others like it."""
    at = value_for(node, segment, extension, loose)
    if at:
        node.take([segment], at)
    else:
        node.left_out[segment] = node.children.pop(segment)


def value_for(node: Node, segment: str, extension: str, loose: Mapping[str, str]) -> str | None:
    """The placeholder that a literal can be a value of. `loose` has those of any text, by their extensions."""
    return sibling_for(node, segment, extension) or loose.get(extension) or loose.get(parameters_of(extension))


def parameters_of(extension: str) -> str:
    return PARAMETERS if extension.endswith(PARAMETERS) else ""


def extension_of(segment: str) -> str:
    """The extension of a file, and the placeholder of parameters."""
    stem = segment.removesuffix(PARAMETERS)
    match = EXTENSION.search(stem)
    if match is None:
        return segment[len(stem) :]
    start = match.start()
    if stem[start + 1 :].lower() in PACKED and (before := EXTENSION.search(stem, 0, start)):
        start = before.start()
    return segment[start:]


def placeholder_of(segment: str) -> tuple[str, str] | None:
    """The name of the placeholder that a segment is, and its extension."""
    match = PLACEHOLDER.match(segment)
    if match is None:
        return None
    rest = segment[match.end() :]
    return (match.group(1), rest) if rest == extension_of(segment) else None


def names_among(node: Node, segments: list[str], fan: int, share: int) -> set[str]:
    """Which literal segments are names, and not values."""
    if len(segments) < 3:
        return set(segments)
    rest = sorted(
        (segment for segment in segments if segment not in WORDS and segment),
        key=lambda segment: (-node.children[segment].size, segment),
    )
    names = set(segments).difference(rest)
    if are_locales(node, rest):
        return names
    count = sum(node.children[segment].weight for segment in rest)
    # If many are hardly in all samples, there are more of them, which are in few.
    is_cut = sum(node.children[segment].size < 2 * share for segment in rest) > FEW // 2
    if count <= min(fan, FEW) or (count <= fan and not is_cut and not are_alike(node, rest)):
        return set(segments)
    names |= odd_ones(node, rest)
    rest = [segment for segment in rest if segment not in names]
    lines = [node.children[segment].size for segment in rest[: MOST_NAMES + 1]]
    for index in range(len(lines) - 2, -1, -1):
        # Of a sample, those between are perhaps missing.
        if (
            lines[index] >= max(lines[index + 1], share) * (GAP if index else GAP_OF_ONE)
            and lines[index] >= FEWEST_LINES
        ):
            return names.union(rest[: index + 1])
    return names


def odd_ones(node: Node, segments: list[str]) -> set[str]:
    """Frequent segments that are not like the others.

    They have a character that hardly another one has, as `Special:Search` has among titles; or nothing is below them,
    and most lines of the others are of what is below these.
    """
    characters = Counter(character for segment in segments for character in set(MARK.findall(segment)))
    lines = sum(node.children[segment].size for segment in segments)
    go_on = sum(node.children[segment].ends for segment in segments) <= (1 - COMMON) * lines
    return {
        segment
        for segment in segments[:MOST_NAMES]
        if node.children[segment].size >= max(ODD * lines, FEWEST_LINES)
        and (
            any(characters[mark] < ODD * len(segments) for mark in set(MARK.findall(segment)))
            or (go_on and not node.children[segment].children)
        )
    }


def are_locales(node: Node, segments: list[str]) -> bool:
    """Whether the children are of languages: their names say it, and the pages below are the same."""
    return len(segments) > 2 and all(map(LOCALE.match, segments)) and shared(node, segments) > 1


def are_alike(node: Node, segments: list[str]) -> bool:
    """Whether children have one shape: short codes of one form, emoji, or the same segments below."""
    forms = {CAPITAL.sub("A", LETTER.sub("a", segment)) for segment in segments}
    signs = sum(SIGNS.match(segment) is not None for segment in segments)
    return (len(forms) == 1 and len(segments[0]) < 6) or signs >= COMMON * len(segments) or shared(node, segments) > 2


def shared(node: Node, segments: list[str]) -> int:
    """How many literals are below most of the children."""
    counts: dict[str, int] = {}
    for segment in segments:
        for name in node.children[segment].children:
            if "{" not in name:
                counts[name] = counts.get(name, 0) + 1
    return sum(count >= COMMON * len(segments) for count in counts.values())


def unite(node: Node) -> None:
    """Makes one of the placeholders of a node that stand for the same."""
    by_extension: dict[str, dict[str, Node]] = {}
    for segment, child in node.children.items():
        found = placeholder_of(segment)
        if found is not None and segment != OTHER:
            by_extension.setdefault(found[1], {})[found[0]] = child
    for extension, children in by_extension.items():
        if len(children) < 2:
            continue
        # Those that match any segment are one.
        loose = sorted(
            (name for name in children if name not in STRICT), key=lambda name: (-children[name].lines, name)
        )
        node.take([f"{{{name}}}{extension}" for name in loose[1:]], f"{{{loose[0]}}}{extension}" if loose else "")
        names = [name for name in (*ORDER, *loose[:1]) if name in children]
        lines = {name: node.children[f"{{{name}}}{extension}"].lines for name in names}
        for name in names:
            into = [other for other in TAKEN_FOR.get(name, ()) if other in lines and lines[name] < SHARE * lines[other]]
            if into:
                node.take([f"{{{name}}}{extension}"], f"{{{into[0]}}}{extension}")
                lines[into[0]] += lines.pop(name)


def unite_parallel(nodes: list[Node]) -> None:
    """Makes values of names that multiply: below each of some names, there are the same names again.

    `nodes` are beside each other in the tree: the routes to them differ only in such names. If their number becomes
    larger than that of values that may stay, the deeper names become one placeholder.
    """
    below: dict[str, list[Node]] = {}
    for node in nodes:
        for segment, child in node.children.items():
            below.setdefault(segment, []).append(child)
    alike: dict[tuple[object, str], list[str]] = {}
    for segment, children in sorted(below.items()):
        if "{" not in segment and segment not in WORDS:
            largest = max(children, key=lambda child: child.lines)
            if largest.children:
                alike.setdefault((skeleton(largest), extension_of(segment)), []).append(segment)
    for (_, extension), segments in alike.items():
        common = sum(len(below[segment]) >= COMMON * len(nodes) for segment in segments)
        if common < 3:
            continue
        united = [child for segment in segments for child in below.pop(segment)]
        if len(nodes) > 1 and len(nodes) * common > FEW:
            for node in nodes:
                node.take([segment for segment in segments if segment in node.children], ANY_WORD + extension)
                unite(node)
            unite_parallel(nodes)
            return
        unite_parallel(united)
    for children in below.values():
        unite_parallel(children)


def unite_frequent(node: Node) -> None:
    """Makes values of names and of texts around a placeholder beside values, if the same routes are below them.

    So a user stays a value, however frequent, but a page of the site does not become one.
    """
    loose = [
        segment
        for segment in node.children
        if (found := placeholder_of(segment)) is not None and found[0] not in STRICT and not found[1]
    ]
    placeholder = next((segment for segment in loose if segment != OTHER), None)
    if placeholder is not None:
        known = {segments: lines for segments, lines, _ in ends(node.children[placeholder], ())}
        taken = [
            segment
            for segment, child in sorted(node.children.items())
            if segment not in WORDS and segment not in (placeholder, OTHER)
            if placeholder_of(segment) is None
            if has_same_routes(child, known)
        ]
        if taken:
            node.take(taken, placeholder)
            repair(node.children[placeholder])
    for child in node.children.values():
        unite_frequent(child)


def unite_rare(node: Node, fan: int, share: int) -> None:
    """Makes values of the literals of a node that are in few lines, if there are values or all of them are in enough.

    This comes after names were compared with values: those are none.
    """
    by_value: dict[str, list[str]] = {}
    loose = loose_ones(node) if node.left_out else {}
    for segment in sorted(node.left_out):
        extension = extension_of(segment)
        at = value_for(node, segment, extension, loose)
        by_value.setdefault(at or ANY_WORD + extension, []).append(segment)
    for value in list(by_value):
        extension = value[len(ANY_WORD) :]
        if value not in node.children and extension and extension != PARAMETERS:
            known = EXTENSIONS.issuperset(extension.removesuffix(PARAMETERS).lower().split(".")[1:])
            if not known or sum(node.left_out[segment].seen for segment in by_value[value]) < FEWEST_LINES:
                by_value.setdefault(ANY_WORD + parameters_of(extension), []).extend(by_value.pop(value))
    for value, segments in by_value.items():
        if value in node.children or sum(node.left_out[segment].seen for segment in segments) >= FEWEST_LINES:
            united = Node()
            for segment in segments:
                united.merge(node.left_out.pop(segment))
            graft(node.children.setdefault(value, Node()), united, fan, share)
            repair(node.children[value])
    for child in node.children.values():
        unite_rare(child, fan, share)


def graft(node: Node, united: Node, fan: int, share: int) -> None:
    """Merges values with others like them, whose children are not yet made general. Names of the node stay."""
    for segment in [segment for segment in united.children if segment in node.children]:
        graft(node.children[segment], united.children.pop(segment), fan, share)
    generalize(united, fan, share)
    unite_frequent(united)
    node.merge(united)


def loose_ones(node: Node) -> dict[str, str]:
    """The placeholders of a node that match any segment, by their extensions."""
    return {
        found[1]: segment
        for segment in sorted(node.children)
        if (found := placeholder_of(segment)) is not None and found[0] not in STRICT and segment != OTHER
    }


def unite_files(node: Node, values: int = 0) -> None:
    """Makes one route, or one for each extension, of those of a tree of files: they end with values, at any depth.

    The tree begins where the paths to its files part: most of the folders there have files at different depths. Names
    that end there stay, if they are few. `values` is 1 below a value, and 2 below a name that is below a value: there,
    each value has a tree of its own, which is one route.
    """
    if sum(1 for _ in ends(node, ())) <= FEW // 2:
        return
    if not is_tree(node):
        for segment, child in node.children.items():
            unite_files(child, max(values, 1 if "{" in segment else 2 * values))
        return
    pages = {segment: child for segment, child in node.children.items() if not child.children and "{" not in segment}
    whole = Node()
    for children in (node.children, node.left_out):
        for segment, child in children.items():
            if children is node.left_out or segment not in pages:
                gather(whole, child)
    few = [extension for extension, (_, seen, _) in whole.files.items() if seen < FEWEST_LINES]
    if len(whole.files) - len(few) + len(pages) > FEW:
        for segment in [segment for segment in pages if segment and segment not in WORDS]:
            gather(whole, pages.pop(segment))
    for extension in list(whole.files) if values > 1 or len(whole.files) - len(few) > FEW else few:
        rest = parameters_of(extension)
        if extension != rest:
            whole.add_files(rest, whole.files.pop(extension))
    node.children, node.left_out = pages, {}
    for extension, (lines, seen, fresh) in whole.files.items():
        end = node.children[PATH + extension] = Node()
        end.ends, end.seen_ends, end.fresh, end.ends_texts = lines, seen, fresh, 2


def gather(whole: Node, node: Node) -> None:
    """Adds what ends at a node and below it to the files of a whole."""
    for extension, counts in node.files.items():
        whole.add_files(extension, counts)
    for children in (node.children, node.left_out):
        for child in children.values():
            gather(whole, child)


def is_tree(node: Node) -> bool:
    """Whether the paths below a node are those of files: perhaps a value, names of folders, and then values."""
    inner = [(segment, child) for segment, child in node.children.items() if child.children]
    routes = list(ends(node, ()))
    if all("{" in segment for segment, _ in inner):
        return has_folders(routes, 0) or has_folders(routes, 1)
    # If nearly all are in one folder, the tree begins there.
    most = NEARLY_ALL * sum(child.lines for _, child in inner)
    return all(child.lines < most for _, child in inner) and has_folders(routes, 0)


def has_folders(routes: Sequence[tuple[tuple[str, ...], int, int]], start: int) -> bool:
    """Whether most folders at a place have values at different depths below them, and hardly a name is below these.

    Below values, those with most of the lines are enough.
    """
    folders: dict[str, set[int]] = {}
    sizes: Counter[str] = Counter()
    depths: set[int] = set()
    lines = right = 0
    for segments, count, _ in routes:
        rest = segments[start:]
        names = 0
        while names < len(rest) and "{" not in rest[names]:
            names += 1
        lines += count
        if all("{" in segment or not segment for segment in rest[names:]):
            right += count
            depths.add(len(rest) - names)
            if len(rest) > 1:
                folders.setdefault(rest[0], set()).add(len(rest) - names)
                sizes[rest[0]] += count
    parted = [folder for folder, found in folders.items() if len(found - {0}) > 1]
    most = len(parted) >= COMMON * len(folders)
    if start:
        most = most or sum(sizes[folder] for folder in parted) >= COMMON * sizes.total()
    return len(depths - {0}) >= DEPTHS and most and right >= NEARLY_ALL * lines


def repair(node: Node) -> None:
    """Unites placeholders of nodes that were merged."""
    unite(node)
    for child in node.children.values():
        repair(child)


def has_same_routes(node: Node, known: Mapping[tuple[str, ...], int]) -> bool:
    """Whether a node has the routes of values beside it, whose lines are known.

    At least three routes are in both. They have most lines of the node; or most of those of the values, if three of the
    routes have names.
    """
    rest = {segments: lines for segments, lines, _ in ends(node, ())}
    same = rest.keys() & known.keys()
    if len(same) > 2 and sum(rest[each] for each in same) >= COMMON * sum(rest.values()):
        return True
    named = sum(any("{" not in segment for segment in segments) for segments in same)
    return named > 2 and sum(known[each] for each in same) >= COMMON * sum(known.values())


def skeleton(node: Node) -> frozenset[tuple[str, object]]:
    """What is below a node, without its names, and without the values that others like them became."""
    return frozenset(
        (segment if ("{" in segment and segment != ANY_WORD) or segment in WORDS else "", skeleton(child))
        for segment, child in node.children.items()
    )


def rank(segment: str) -> tuple[int, int, str]:
    """In a list, what is more special is first."""
    if "{" not in segment:
        return 0, 0, segment
    found = placeholder_of(segment)
    if segment == OTHER:
        return 99, 0, segment
    if found is None:
        return 1 if segment.endswith(PARAMETERS) else 2, 0, segment
    name, extension = found
    if name == PATH[1:-1]:
        return 98, -extension.count("."), segment
    tier = 3 if extension.endswith(PARAMETERS) else 13 if extension else 23
    tier += (ORDER.index(name) if name in STRICT else len(ORDER)) + (5 if extension == PARAMETERS else 0)
    return tier, -extension.count("."), segment


def in_order(route: Found) -> tuple[bool, str, list[tuple[int, int, str]]]:
    return route.host.startswith("*"), route.host, list(map(rank, route.segments))
