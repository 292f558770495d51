"""Directives of DejaGnu in the tests of libgomp, as far as they concern programs of the host (x86-64 Linux, glibc).

read(path, language, supported) returns the directives of one test.
"""
import re

DIRECTIVE = re.compile(r"\{\s*(dg-[a-z-]+)\s")
# Targets and features that hold. The caller adds offload_device and similar names.
HOLDS = {
    "*-*-*", "*-*-linux*", "*-*-gnu*", "i?86-*-*", "x86_64-*-*", "lp64", "tls", "tls_runtime", "tls_native", "sync_int_long",
    "sync_char_short", "size32plus", "sse2_runtime", "avx_runtime", "avx2_runtime", "vect_simd_clones", "fd_truncate",
    "__float128", "large_long_double", "fpic", "shared", "lto", "pthread", "alias", "cas_char", "cas_int", "c99_runtime",
}


def words(text):
    """The elements of a Tcl list, each as (text, is_braced)."""
    found, at = [], 0
    while at < len(text):
        if text[at].isspace():
            at += 1
        elif text[at] == "{":
            depth, start = 1, at + 1
            while depth and (at := at + 1) < len(text):
                depth += (text[at] == "{" and text[at - 1] != "\\") - (text[at] == "}" and text[at - 1] != "\\")
            found.append((text[start:at], True))
            at += 1
        elif text[at] == '"':
            start = at + 1
            while (at := at + 1) < len(text) and text[at] != '"':
                at += text[at] == "\\"
            found.append((unescape(text[start:at]), False))
            at += 1
        else:
            start = at
            while at < len(text) and not text[at].isspace() and text[at] != "{":
                at += 1
            found.append((text[start:at], False))
    return found


def unescape(text):
    """Backslashes in a quoted word of Tcl."""
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "r": "\r", "t": "\t"}.get(m.group(1), m.group(1)), text)


class Selector:
    """Evaluates target selectors: names, lists, !, && and ||."""

    def __init__(self, holds):
        self.holds = holds

    def __call__(self, text):
        result, negate, operator = None, False, None
        for word, braced in words(text):
            if word in ("&&", "||") and not braced:
                operator = word
                continue
            if word == "!" and not braced:
                negate = True
                continue
            if word.startswith("!") and not braced:
                negate, word = True, word[1:]
            value = self(word) if braced else word in self.holds
            value, negate = value != negate, False
            if result is None:
                result = value
            elif operator == "&&":
                result = result and value
            else:  # || and the elements of a list
                result = result or value
        return bool(result)


class Test:
    """The directives of one test."""

    def __init__(self):
        self.action, self.reason = "run", None  # reason: the test is not for this configuration
        self.options, self.more_options = None, []
        self.sources, self.environment = [], {}
        self.fails, self.output, self.errors, self.factor = False, [], False, 1.0


def directives(text):
    """Yields (name, arguments, line) for each directive."""
    for number, line in enumerate(text.splitlines(), 1):
        for match in DIRECTIVE.finditer(line):
            body = words(line[match.start():])[0][0]
            parts = words(body)
            yield parts[0][0], parts[1:], number


def split_options(text):
    return re.findall(r"(?:[^\s\"]|\"[^\"]*\")+", text)


def read(path, language, holds):
    """language: c, c++ or fortran."""
    select = Selector(HOLDS | holds | {language})
    test = Test()

    def applies(arguments, index):
        """The selector at this place, or true."""
        if len(arguments) <= index:
            return True
        kind, _, rest = arguments[index][0].strip().partition(" ")
        return not select(rest) if kind == "xfail" else select(rest)

    for name, arguments, _ in directives(open(path, encoding="latin-1").read()):
        first = arguments[0][0] if arguments else ""
        if name == "dg-do":
            if applies(arguments, 1):
                test.action = first
            elif not arguments[1][0].strip().startswith("xfail"):
                test.reason = "target " + arguments[1][0].strip()
        elif name == "dg-options" and applies(arguments, 1):
            test.options = split_options(first)
        elif name == "dg-additional-options" and applies(arguments, 1):
            test.more_options += split_options(first)
        elif name == "dg-additional-sources" and applies(arguments, 1):
            test.sources += first.split()
        elif name == "dg-require-effective-target" and not select(first) and applies(arguments, 1):
            test.reason = "requires " + first
        elif name == "dg-skip-if" and select(arguments[1][0]) and len(arguments) == 2:
            test.reason = "dg-skip-if " + arguments[1][0].strip()
        elif name == "dg-set-target-env-var":
            test.environment[first] = arguments[1][0]
        elif name == "dg-shouldfail" and applies(arguments, 1):
            test.fails = True
        elif name == "dg-output" and applies(arguments, 1):
            test.output.append(first)
        elif name == "dg-error" and applies(arguments, 2):
            test.errors = True
        elif name == "dg-timeout-factor":
            test.factor = float(first)
    return test
