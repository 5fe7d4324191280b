"""Cases of URL patterns: the arguments that make a pattern, and inputs that are derived from it, changed, or any.

Every part of a pattern is made together with a function that draws a text which it should match. The cases are the same
for the same seed and data.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any

from support.patterns import COMPONENTS

Arguments = Sequence[Any]
# The arguments of the constructor, and of `test` and `exec` for each input.
Case = tuple[Arguments, Sequence[Arguments]]
Draw = Callable[[], str]
# The text of a part of a pattern, and what it should match.
Part = tuple[str, Draw]

INPUTS = 4
SYNTAX = re.compile(r"[+*?:{}()\\]")
FIXED: Mapping[str, Sequence[str]] = {
    "protocol": (
        "http", "https", "http", "https", "ftp", "ws", "s", "data", "x", "foo", "web+y.9", "HTTP", "file", "é",
    ),
    "username": ("u", "user", "a b", "é", "%41", "x@y", "u:v", "", "😀"),
    "password": ("p", "pass", "a b", "é", "%41", "x@y", "p/q", "", "<"),
    "hostname": (
        "example", "com", "www", "a", "EXAMPLE", "b-c", "xn--", "é", "bücher.de", "日本", "%41", "1", "[::1]", "@",
    ),
    "port": ("80", "443", "8080", "0", "1", "99", "21", "65536", "8 ", "x", "080", "0443", "0080"),
    "pathname": (
        "foo", "bar", "a", "b", "A", "a b", "é", "%41", "%zz", ".", "..", "a.b", "~", "😀", "//", "/x", "<", "-",
    ),
    "search": ("q=1", "a", "b", "&", "=", "a b", "é", "%41", "/", "q'r", "#", "[]", "😀", "A"),
    "hash": ("top", "a", "A", "a b", "é", "%41", "`", "/", "#", "😀", "!"),
}  # fmt: skip
# Without what a URL parser changes or refuses.
PLAIN: Mapping[str, Sequence[str]] = {
    "protocol": ("http", "https", "ws", "s", "x", "foo"), "username": ("u", "user"), "password": ("p", "pass"),
    "hostname": ("example", "com", "www", "a", "b-c"), "port": ("8", "443", "8080", "0", "1"),
    "pathname": ("foo", "bar", "a", "b", "a.b", "-"), "search": ("q=1", "a", "b", "&", "="), "hash": ("top", "a", "!"),
}  # fmt: skip
# What a segment is made of where it is drawn.
LETTERS: Mapping[str, str] = {
    "protocol": "abstp", "hostname": "abcx0-", "port": "0123489", "pathname": "abxA0-_.~é ", "search": "abx=&0é ",
    "username": "abxé ", "password": "abxé ", "hash": "abxA0é ",
}  # fmt: skip
DELIMITERS = {"hostname": ".", "pathname": "/"}
NAMES = (
    "a", "b", "id", "x1", "_", "$x", "name", "é", "ö1", "𝒳", "ab\u200d", "a\u0301", "ℰ", "ⅷ", "Id", "日本",
    "constructor", "__proto__", "length", "0", "1a", "\u0301",
)  # fmt: skip
MODIFIERS = ("", "", "", "", "?", "+", "*")
# Regular expressions in the syntax of the flag `v`, each with texts that it matches; those without are refused, or are
# not regular expressions at all.
ATOMS: Sequence[tuple[str, Sequence[str]]] = (
    ("a", "a"), ("b", "b"), ("x", "x"), ("0", "0"), (".", "abx0"), ("\\d", "0189"), ("\\w", "ab0_"), ("\\D", "ab-"),
    ("\\W", "-."), ("[a-z]", "abx"), ("[^/]", "ab0"), ("[^.]", "ab0"), ("[abc]", "abc"), ("[\\w\\-]", "a0-"),
    ("[[a-z]&&[aeiou]]", "ae"), ("[\\w--\\d]", "ab_"), ("[[a-z]--[aeiou]]", "bx"), ("[[a-c][0-2]]", "ab01"),
    ("[^\\d]", "ab"), ("\\p{L}", "abA"), ("\\p{Lu}", "AB"), ("\\P{Lu}", "ab0"), ("\\p{ASCII}", "ab0"),
    ("[\\p{L}--[a-c]]", "xA"), ("\\p{Script=Latin}", "abA"), ("\\p{ASCII_Hex_Digit}", "a0F"),
    ("\\p{General_Category=Decimal_Number}", "01"), ("\\u0061", "a"), ("\\x61", "a"), ("\\u{61}", "a"),
    ("\\u{000061}", "a"), ("\\.", "."), ("\\/", "/"), ("\\s", ()), ("\\S", "ab"), ("\\t", ()), ("\\0", ()),
    ("\\cA", ()), ("%[0-9A-F]{2}", ("%20", "%41")), ("/", "/"), ("(?:ab|a)", ("ab", "a")), ("(?:a|ab)", ("ab", "a")),
    ("(?:a|b|)", ("a", "b", "")), ("(?:)", ("",)), ("[]", ()), ("[^]", "a0"), ("(?<n>a)", "a"), ("(?<m>ab)", ("ab",)),
    ("(?<k>a|b)", "ab"), ("(?<l>)", ("",)), ("(?i:a)", "aA"), ("(?-i:a)", "a"), ("(?s:.)", "a"), ("[\\q{a|b}]", "ab"),
    ("[\\q{a}]", "a"), ("[\\q{ab|c}]", ("ab", "c")), ("\\p{RGI_Emoji}", ()), ("[_\\-]", "_-"), ("=", "="), ("&", "&"),
    (",", ","), ("~", "~"), ("@", "@"), ("\\$", "$"), ("\\^", "^"), ("\\|", "|"), ("[.]", "."), ("[+]", "+"),
    ("[*]", "*"), ("[?]", "?"), ("[$]", "$"), ("[!]", "!"), ("[\\]]", "]"), ("[^a-z]", "0A"),
)  # fmt: skip
ASSERTIONS = ("^", "$", "\\b", "\\B", "(?=a)", "(?!b)", "(?<=a)", "(?<!b)", "\\1", "(?=.)", "(?<q>a)\\k<q>")
LOOKAROUNDS = ("(?=", "(?!", "(?<=", "(?<!")
REFUSED = (
    "[(]", "[a-]", "[-a]", "{", "a{", "a}", "]", "[&&a]", "[a&&&b]", "[a--b&&c]", "a**", "a{3,2}", "*a", "+", "?a",
    "[a-z&&[b]]", "[a-z--[b]]",
    "()", "(a)", "(?", "(?a", "[z-a]", "\\p{Foo}", "\\p{}", "\\pL", "\\_", "[^\\q{ab}]", "(?<n>a)(?<n>b)", "(?<1>a)",
    "\\k<m>", "\\k", "[a--]", "[--a]", "[a&&]", "[|]", "[/]", "[~~]", "[!!]", "[a", "a)", "\\u{110000}", "\\u{}",
    "\\u00", "\\x6", "\\c", "\\c1", "\\00", "\\08", "(?i-i:a)", "(?ii:a)", "(?x:a)", "(?#a)", "(?P<n>a)", "a{1",
    "a{,2}", "a{2,1}", "x{}", "[a-\\d]", "[\\d-a]", "[[a]-z]", "(?:a", "|", "a||b", "(?<n>a)|(?<n>b)", "^*", "$+",
    "\\b+", "(?=a)*", "(?<=a)?", "é", "a{99999999999}", "(?:a{0,20}){0,20}", "\\q{a}", "[\\q{}]", "[\\b]", "\\e",
    "\\z", "\\A", "\\Q", "[[:alpha:]]", "\\-", "[_-]", "\\2", "\\9", "\\k<n>", "[^\\p{RGI_Emoji}]", "\\P{RGI_Emoji}",
    "(?^i:a)", "(?-:a)", "(?:a)(?:b){1,3}?", ".*", "[^\\/]+?", "[^\\.]+?", "(?R)",
)  # fmt: skip
QUANTIFIERS = ("", "", "", "", "+", "*", "?", "+?", "*?", "??", "{2}", "{1,3}", "{2,}", "{0}", "{0,1}?")
HOSTILE: Sequence[tuple[str, str]] = (
    ("/*a*a*a*b", "/aaaaaaaa"), ("/:a-:b-:c-:d!", "/a-a-a-a-a-a"), ("*/:a-:b-:c-:d-x*", "/a-a-a-a-a-x/a-a-a-a-"),
    ("/((?:x+x+)+y|.*)", "/xxxxxxxxxxxx"), ("/((?:a|a)*b|.*)", "/aaaaaaaaaaaa"), ("/(.*a){8}", "/aaaaaaaaaaa"),
    ("/*-*-*-*-*x", "/-----------"), ("/{:a-}*x", "/a-a-a-a-x"), ("/((?:a*)*)", "/aaaaaab"), ("/(.*)?(.*)?", "/ab"),
    ("/:a:b:c", "/abcd"), ("/:a?:b?:c?", "/abcd"), ("/**", "/ab"), ("*?**", "/ab"),
    ("/((?:a?){9}a{9})", "/aaaaaaaaaa"),
)  # fmt: skip
TOKENS = (
    "{", "}", "(", ")", ":", "a", "*", "+", "?", "\\", "/", ".", "[", "]", "@", "#", "é", "(?:a)", ":a", ":b", "(a)",
    "*", "//", "://", "https", "&", "-", "%41", "\\:", "\\?", "{a}", "{/a}?", "}?", "}*", "{}", " ", "\t", "😀", "..",
    "://*", ":80", ":443", "?", "{:a.}?", "[::1]", "(.*)", "\\", "\n",
)  # fmt: skip
BASES = (
    "https://example.com", "https://example.com/a/b?q=1#top", "http://u:p@a.example:8080/x/y/?q#h", "data:foo/bar",
    "x:", "file:///a/b", "foo://h/p/q?r", "https://example.com:8443/(a)/{b}+?*#:c", "not a URL", "https://[::1]/",
    "x:/p/q",
)  # fmt: skip
URLS = (
    "https://example.com/", "https://example.com/foo/bar?q=1#top", "http://www.example.com:8080/a/b", "data:foo",
    "https://u:p@example.com/a", "foo://a/b", "https://[::1]/a", "file:///a/b", "x:y", "", "/foo", "//h/p", "https://",
    "ftp://example.com:21/a", "https://bücher.de/é", "blob:https://example.com/1",
)  # fmt: skip


def escaped(text: str) -> str:
    return SYNTAX.sub(r"\\\g<0>", text)


@cache
def of_the_platform_tests() -> list[dict[str, Any]]:
    from support.wpt_cases import DATA, read_cases  # needs pytest, which fuzz_targets.py does without

    return [] if DATA is None else read_cases(DATA["urlpatterntestdata.json"])


class Cases:
    """One stream of cases."""

    def __init__(self, seed: int) -> None:
        self.random = Random(f"patterns {seed}")
        self.choice = self.random.choice
        self.chance = self.random.random

    def case(self) -> Case:
        kind = self.chance()
        if kind < 0.6:
            return self.of_grammar()
        if kind < 0.75:
            return self.of_data()
        if kind < 0.78:
            return self.of_hostile()
        if kind < 0.94:
            arguments, inputs = self.of_grammar() if kind < 0.87 else self.of_data()
            return self.changed_arguments(arguments), inputs
        return self.of_tokens()

    # Patterns of the grammar.

    def of_grammar(self) -> Case:
        self.names = self.random.sample(NAMES[:14], 14) if self.chance() < 0.97 else list(NAMES)
        as_text = self.chance() < 0.45
        wanted = [name for name in COMPONENTS if self.chance() < (0.6 if name == "pathname" else 0.3)]
        if as_text:
            wanted = [*dict.fromkeys(("protocol", "hostname", *wanted))]
        parts = {name: self.component(name) for name in wanted}
        draws = {name: draw for name, (_, draw) in parts.items()}
        texts = {name: text for name, (text, _) in parts.items()}
        arguments: list[Any] = [self.assembled(texts) if as_text else dict(texts)]
        base = self.choice(BASES) if self.chance() < 0.15 else None
        if base is not None and as_text:
            if self.chance() < 0.7:
                start = min(arguments[0].find("/", arguments[0].find("://") + 3), len(arguments[0]))
                arguments[0] = arguments[0][max(0, start) :]
            arguments.append(base)
        elif base is not None:
            arguments[0]["baseURL"] = base
        if self.chance() < 0.15:
            arguments.append({"ignoreCase": True})
        return arguments, [self.input(draws, base) for _ in range(INPUTS)]

    def component(self, name: str) -> Part:
        count = self.choice((1, 1, 2, 2, 3, 4))
        if name == "protocol" and self.chance() < 0.7:
            return self.choice((("http{s}?", lambda: self.choice(("http", "https"))), ("https", lambda: "https")))
        if name == "port" and self.chance() < 0.5:
            count = 1
        return self.joined([self.part(name) for _ in range(count)], "/" if name == "pathname" else "")

    def joined(self, parts: Sequence[Part], start: str = "") -> Part:
        begin = start if self.chance() < 0.85 else ""
        return begin + "".join(text for text, _ in parts), lambda: begin + "".join(draw() for _, draw in parts)

    def part(self, name: str) -> Part:
        kind = self.chance()
        if kind < 0.4:
            return self.fixed(name)
        prefix = "/" if name == "pathname" and self.chance() < 0.6 else "." if name == "hostname" and kind < 0.6 else ""
        modifier = self.choice(MODIFIERS)
        if kind < 0.8:
            text, draw = self.matcher(name)
            return prefix + text + modifier, self.repeated(prefix if name == "pathname" else "", draw, "", modifier)
        before, after = (self.fixed(name) if self.chance() < 0.5 else ("", str) for _ in range(2))
        if kind < 0.88:
            return f"{{{before[0]}{after[0]}}}{modifier}", self.repeated(before[1](), after[1], "", modifier)
        text, draw = self.matcher(name)
        begin, end = before[1](), after[1]()
        return f"{{{escaped(begin)}{text}{escaped(end)}}}{modifier}", self.repeated(begin, draw, end, modifier)

    def repeated(self, prefix: str, draw: Draw, suffix: str, modifier: str) -> Draw:
        counts = {"": (1,), "?": (0, 1), "+": (1, 2, 3), "*": (0, 1, 2)}[modifier]
        return lambda: "".join(f"{prefix}{draw()}{suffix}" for _ in range(self.choice(counts)))

    def fixed(self, name: str) -> Part:
        text = self.choice(FIXED[name] if self.chance() < 0.15 else PLAIN[name])
        shown = escaped(text) if self.chance() < 0.97 else text
        if self.chance() < 0.01 and shown:
            shown = "\\" + shown.removeprefix("\\")
        return shown, lambda: text

    def matcher(self, name: str) -> Part:
        kind = self.chance()
        segment = lambda: self.letters(name, DELIMITERS.get(name, ""))  # noqa: E731
        anything = lambda: self.letters(name, "") + self.choice(("", "", DELIMITERS.get(name, "") + "a"))  # noqa: E731
        if kind < 0.45:
            return ":" + self.name(), segment
        if kind < 0.65:
            return "*", anything
        text, draw = self.alternatives(self.choice((0, 1, 1, 2)))
        return (":" + self.name() if self.chance() < 0.5 else "") + f"({text})", draw

    def name(self) -> str:
        return self.names.pop() if self.names and self.chance() < 0.99 else self.choice(NAMES)

    def letters(self, name: str, without: str) -> str:
        letters = LETTERS[name].replace(without, "") if without else LETTERS[name]
        return "".join(self.choice(letters) for _ in range(self.choice((0, 1, 1, 2, 3, 6))))

    # Regular expressions.

    def alternatives(self, depth: int) -> Part:
        if self.chance() < 0.025:
            return self.choice(REFUSED), lambda: self.choice(("a", "ab", "", "x"))
        made = [self.sequence(depth) for _ in range(self.choice((1, 1, 1, 2, 3)))]
        return "|".join(text for text, _ in made), lambda: self.choice(made)[1]()

    def sequence(self, depth: int) -> Part:
        return self.joined([self.quantified(depth) for _ in range(self.choice((1, 1, 2, 3)))])

    def quantified(self, depth: int) -> Part:
        if self.chance() < 0.03:
            return self.choice(ASSERTIONS), str
        if depth and self.chance() < 0.08:
            inner, _ = self.alternatives(depth - 1)
            return f"{self.choice(LOOKAROUNDS)}{inner})", str
        if depth and self.chance() < 0.2:
            inner, draw = self.alternatives(depth - 1)
            text = f"(?:{inner})"
        else:
            text, texts = self.choice(ATOMS)
            draw = lambda: self.choice(texts) if texts else "a"  # noqa: E731
        quantifier = self.choice(QUANTIFIERS)
        counts = {"+": (1, 2), "*": (0, 1, 2), "?": (0, 1), "{": (1, 2, 3) if "3" in quantifier else (2,)}.get(
            quantifier[:1], (1,)
        )
        if quantifier.startswith("{0"):
            counts = (0,)
        return text + quantifier, lambda: "".join(draw() for _ in range(self.choice(counts)))

    # Inputs.

    def assembled(self, texts: Mapping[str, str]) -> str:
        """A URL of components, or the constructor string of their patterns."""
        text = f"{texts.get('protocol', 'https')}:"
        if "hostname" in texts or "pathname" not in texts or self.chance() < 0.8:
            text += "//"
            if "username" in texts or "password" in texts:
                text += texts.get("username", "") + (f":{texts['password']}" if "password" in texts else "") + "@"
            text += texts.get("hostname", "example.com") + (f":{texts['port']}" if texts.get("port") else "")
        text += texts.get("pathname", "")
        text += f"?{texts['search']}" if "search" in texts else ""
        return text + (f"#{texts['hash']}" if "hash" in texts else "")

    def input(self, draws: Mapping[str, Draw], base: str | None) -> Arguments:
        kind = self.chance()
        drawn = {name: draw() for name, draw in draws.items()}
        if self.chance() < 0.15:
            drawn = {name: text.swapcase() for name, text in drawn.items()}
        if base is None or "pathname" not in drawn or kind < 0.3:
            url = self.assembled(drawn)
        else:
            tail = (f"?{drawn['search']}" if "search" in drawn else "") + (
                f"#{drawn['hash']}" if "hash" in drawn else ""
            )
            return [drawn["pathname"] + tail, base]
        if kind < 0.5:
            return [url]
        if kind < 0.75:
            return [drawn if base is None else drawn | {"baseURL": base}]
        if kind < 0.9:
            return [self.changed(url)]
        if kind < 0.95:
            name = self.choice(COMPONENTS)
            return [drawn | {name: self.changed(drawn.get(name, ""))}]
        return self.any_input()

    def any_input(self) -> Arguments:
        kind = self.chance()
        if kind < 0.5:
            return [self.choice(URLS)]
        if kind < 0.7:
            return [self.choice(URLS), self.choice(BASES)]
        given = {name: self.letters(name, "") for name in COMPONENTS if self.chance() < 0.3}
        return [given if self.chance() < 0.7 else given | {"baseURL": self.choice(BASES)}]

    def changed(self, text: str) -> str:
        for _ in range(self.choice((1, 1, 2))):
            at = self.random.randrange(len(text) + 1)
            end = min(len(text), at + self.choice((0, 0, 1, 1, 2)))
            text = (
                text[:at]
                + self.choice(("", "", "a", "/", "x", "é", "0", "-", ".", "?", "#", "A", text[at:end] * 2))
                + text[end:]
            )
        return text

    # Patterns of other origin.

    def changed_arguments(self, arguments: Arguments) -> Arguments:
        if not arguments:
            return arguments
        first, *others = arguments
        if isinstance(first, str):
            return [self.changed_pattern(first), *others]
        if not first:
            return [{self.choice(COMPONENTS): self.changed_pattern("")}, *others]
        name = self.choice(sorted(first))
        if not isinstance(first[name], str):
            return arguments
        return [first | {name: self.changed_pattern(first[name])}, *others]

    def changed_pattern(self, text: str) -> str:
        for _ in range(self.choice((1, 1, 1, 2, 3))):
            at = self.random.randrange(len(text) + 1)
            text = text[:at] + self.choice(TOKENS) + text[min(len(text), at + self.choice((0, 0, 1, 2))) :]
        return text

    def of_data(self) -> Case:
        """A pattern of the Web Platform Tests, with inputs of theirs."""
        cases = of_the_platform_tests()
        if not cases:
            return self.of_grammar()
        case = self.choice(cases)
        inputs = [case.get("inputs", [])]
        while len(inputs) < INPUTS:
            kind = self.chance()
            other = self.choice(cases) if kind < 0.3 else case
            arguments = other.get("inputs") or [self.choice(URLS)]
            if kind > 0.6:
                first, *others = arguments
                if isinstance(first, str):
                    arguments = [self.changed(first), *others]
                elif first:
                    name = self.choice(sorted(first))
                    arguments = [first | {name: self.changed(first[name])}, *others]
            inputs.append(arguments)
        return case["pattern"], inputs

    def of_hostile(self) -> Case:
        text, match = self.choice(HOSTILE)
        drawn = [match, match[:1] + match[1:] * 2, match[:-1], self.changed(match)]
        as_text = self.chance() < 0.3
        first: Any = f"https://example.com{text}" if as_text and text.startswith("/") else {"pathname": text}
        return [first], [[f"https://example.com/{path.removeprefix('/')}"] for path in drawn]

    def of_tokens(self) -> Case:
        text = "".join(self.choice(TOKENS) for _ in range(self.choice((1, 2, 3, 5, 8))))
        kind = self.chance()
        if kind < 0.3:
            arguments: Arguments = ["https://" + text]
        elif kind < 0.5:
            arguments = [text] if self.chance() < 0.3 else [text, self.choice(BASES)]
        else:
            arguments = [{self.choice(COMPONENTS): text}]
        return arguments, [self.any_input() for _ in range(INPUTS)]


def scalar(value: Any) -> Any:
    """With U+FFFD for what is not a scalar value."""
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, dict):
        return {name: scalar(one) for name, one in value.items()}
    return [scalar(one) for one in value] if isinstance(value, list | tuple) else value


def cases(seed: int) -> Iterator[Case]:
    """Cases without end."""
    made = Cases(seed)
    while True:
        yield scalar(made.case())
