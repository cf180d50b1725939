#!/usr/bin/env python3
"""Writes src/text/unicode/unicode_tables.cpp: what each code point is to the Hugging Face tokenizers library.

Its normalizers and pre-tokenizers come from several Rust and C libraries of different Unicode versions, so no Unicode
database gives the same answers. This script asks the library itself about every code point, which takes a minute.

  pip install tokenizers==0.23.3 regex && python scripts/generate_unicode_tables.py
"""

import pathlib
import struct
import unicodedata

import regex
import tokenizers
from tokenizers import Regex, normalizers, pre_tokenizers

OUTPUT = pathlib.Path(__file__).resolve().parent.parent / "src/text/unicode/unicode_tables.cpp"
CODE_POINTS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
# Hangul syllables decompose and compose by arithmetic.
HANGUL = range(0xAC00, 0xAC00 + 11172)

# Categories as Oniguruma knows them: the order is that of enum Category in unicode.h.
CATEGORIES = [
    "Lu",
    "Ll",
    "Lt",
    "Lm",
    "Lo",
    "Mn",
    "Mc",
    "Me",
    "Nd",
    "Nl",
    "No",
    "Pc",
    "Pd",
    "Ps",
    "Pe",
    "Pi",
    "Pf",
    "Po",
    "Sm",
    "Sc",
    "Sk",
    "So",
    "Zs",
    "Zl",
    "Zp",
    "Cc",
    "Cf",
    "Co",
]
# The order is that of enum GraphemeClass in unicode.h.
GRAPHEME_CLASSES = [
    "CR",
    "LF",
    "Control",
    "Extend",
    "ZWJ",
    "Regional_Indicator",
    "Prepend",
    "SpacingMark",
    "L",
    "V",
    "T",
    "LV",
    "LVT",
]


def split_on(pattern):
    splitter = pre_tokenizers.Split(Regex(pattern), "removed")
    return {c for c in CODE_POINTS if not splitter.pre_tokenize_str(chr(c))}


def removed_by(normalizer):
    return {c for c in CODE_POINTS if normalizer.normalize_str("a" + chr(c) + "b") == "ab"}


def isolated_by(pre_tokenizer):
    return {c for c in CODE_POINTS if len(pre_tokenizer.pre_tokenize_str("a" + chr(c) + "b")) == 3}


def unicode_class(expression):
    text = "".join(map(chr, CODE_POINTS))
    return {ord(c) for c in regex.findall(expression, text)}


def joined_to_letters():
    """What stays in one grapheme cluster with a letter before it: the regex module knows a newer Unicode than the library.
    A compiled rule "a" to "!" shows it, since a rule takes the whole of a short cluster."""
    units = [0] * 1024
    units[0] = 256 << 10
    units[256 ^ ord("a")] = 512 << 10 | 1 << 8 | ord("a")
    rules = normalizers.Precompiled(struct.pack("<I1024I", 4096, *units) + b"!\0")
    return {c for c in CODE_POINTS if rules.normalize_str("a" + chr(c)) == "!"}


def grapheme_classes():
    classes = {name: unicode_class(r"\p{GCB=%s}" % name) for name in GRAPHEME_CLASSES}
    joined = joined_to_letters()
    for name in ("Extend", "SpacingMark", "ZWJ"):
        classes[name] &= joined
    assert joined == classes["Extend"] | classes["SpacingMark"] | classes["ZWJ"]
    return classes


def sets():
    bert = dict(clean_text=False, handle_chinese_chars=False, strip_accents=False, lowercase=False)
    nfd = normalizers.NFD()
    strip = normalizers.BertNormalizer(**{**bert, "strip_accents": True})
    decomposed = {c: nfd.normalize_str(chr(c)) for c in CODE_POINTS}
    words = pre_tokenizers.WhitespaceSplit()
    letters = pre_tokenizers.Whitespace()
    return {
        "kWhitespace": {c for c in CODE_POINTS if not words.pre_tokenize_str(chr(c))},
        "kBertControl": removed_by(normalizers.BertNormalizer(**{**bert, "clean_text": True})),
        "kNonspacingMark": {
            c for c in CODE_POINTS if decomposed[c] == chr(c) and strip.normalize_str("a" + chr(c)) == "a"
        },
        "kCombiningMark": removed_by(normalizers.StripAccents()),
        "kPunctuation": isolated_by(pre_tokenizers.Punctuation("isolated")),
        "kNumeric": isolated_by(pre_tokenizers.Digits(individual_digits=True)),
        "kWordCharacter": {
            c
            for c in CODE_POINTS
            if len(letters.pre_tokenize_str("a" + chr(c))) == 1 and letters.pre_tokenize_str(chr(c))
        },
        "kPictographic": unicode_class(r"\p{Extended_Pictographic}"),
        "kInCbConsonant": unicode_class(r"\p{InCB=Consonant}"),
        "kInCbExtend": unicode_class(r"\p{InCB=Extend}"),
        "kInCbLinker": unicode_class(r"\p{InCB=Linker}"),
    }


def combining_classes():
    """Read off from whether canonical ordering swaps a code point with a mark of a known class."""
    nfd = normalizers.NFD().normalize_str
    low, high = "\u0334", "\u0345"  # classes 1 and 240
    markers = {1: low, 240: high}
    for c in CODE_POINTS:
        x, k = chr(c), unicodedata.combining(chr(c))
        # The library is older than Python's database: a mark that it does not know is no marker.
        if k and nfd(x) == x and (nfd(x + low) != x + low or nfd(high + x) != high + x):
            markers.setdefault(k, x)
    found = {ord(m): k for k, m in markers.items()}
    for c in CODE_POINTS:
        x = chr(c)
        if nfd(x) != x or c in found:
            continue
        if nfd(x + low) == x + low and nfd(high + x) == high + x:
            continue  # class 0, or that of the lowest or highest marker
        below = [k for k, m in markers.items() if nfd(x + m) == m + x]
        above = [k for k, m in markers.items() if nfd(m + x) == x + m]
        between = sorted(k for k in markers if k not in below and k not in above)
        assert len(between) == 1, (hex(c), between)
        found[c] = between[0]
    middle = sorted(markers)[len(markers) // 2]
    for c in CODE_POINTS:
        x, m = chr(c), markers[middle]
        if c not in found and nfd(x) == x:
            if nfd(m + x) == x + m:
                found[c] = min(markers)
            elif nfd(x + m) == m + x:
                found[c] = max(markers)
    return found


def decompositions():
    nfd, nfkd = normalizers.NFD().normalize_str, normalizers.NFKD().normalize_str
    canonical, compatible = {}, {}
    for c in CODE_POINTS:
        if c in HANGUL:
            continue
        d, k = nfd(chr(c)), nfkd(chr(c))
        if d != chr(c):
            canonical[c] = [ord(x) for x in d]
        if k != d:
            compatible[c] = [ord(x) for x in k]
    return canonical, compatible


def compositions(canonical):
    nfc = normalizers.NFC().normalize_str
    pairs = {}
    for c, d in canonical.items():
        if nfc(chr(c)) != chr(c) or len(d) < 2:
            continue
        first = nfc("".join(map(chr, d[:-1])))
        assert len(first) == 1 and nfc(first + chr(d[-1])) == chr(c), hex(c)
        pairs[ord(first), d[-1]] = c
    return pairs


def lowercase():
    lower = normalizers.Lowercase().normalize_str
    return {c: [ord(x) for x in lower(chr(c))] for c in CODE_POINTS if lower(chr(c)) != chr(c)}


def ranges(members):
    """Gaps and lengths, in turn, from 0 on."""
    numbers, position = [], 0
    for c in sorted(members):
        if numbers and c == position:
            numbers[-1] += 1
        else:
            numbers += [c - position, 1]
        position = c + 1
    return numbers


def array(name, numbers):
    lines, line = [], " "
    for number in numbers:
        text = f" {number},"
        if len(line) + len(text) > 119:
            lines.append(line)
            line = " "
        line += text
    return f"constexpr uint32_t {name}[] = {{\n" + "\n".join(lines + [line]) + "\n};\n"


def mapping(entries):
    """For each entry the distance to the one before, how many code points follow, and these."""
    numbers, position = [], 0
    for c, to in sorted(entries.items()):
        numbers += [c - position, len(to), *to]
        position = c
    return numbers


def main():
    canonical, compatible = decompositions()
    parts, tables = [], []
    for name, members in sets().items():
        parts.append(array(name, ranges(members)))
    for name in CATEGORIES:
        parts.append(array("kCategory" + name, ranges(split_on(r"\p{%s}" % name))))
    for name, members in grapheme_classes().items():
        parts.append(array("kGrapheme" + name.replace("_", ""), ranges(members)))
    classes = combining_classes()
    by_class = {}
    for c, k in classes.items():
        by_class.setdefault(k, set()).add(c)
    for k, members in sorted(by_class.items()):
        parts.append(array(f"kCombining{k}", ranges(members)))
    parts.append(array("kCanonicalMap", mapping(canonical)))
    parts.append(array("kCompatibleMap", mapping(compatible)))
    parts.append(array("kLowercaseMap", mapping(lowercase())))
    parts.append(
        array("kCompositionList", [n for (a, b), c in sorted(compositions(canonical).items()) for n in (a, b, c)])
    )

    names = {
        "kSets": [
            "kWhitespace",
            "kBertControl",
            "kNonspacingMark",
            "kCombiningMark",
            "kPunctuation",
            "kNumeric",
            "kWordCharacter",
            "kPictographic",
            "kInCbConsonant",
            "kInCbExtend",
            "kInCbLinker",
        ],
        "kCategories": ["kCategory" + name for name in CATEGORIES],
        "kGraphemeClasses": ["kGrapheme" + name.replace("_", "") for name in GRAPHEME_CLASSES],
    }
    for name, members in names.items():
        parts.append(f"constexpr Table {name}List[] = {{{', '.join(members)}}};\n")
        tables.append(f"const std::span<const Table> {name} = {name}List;\n")
    rows = ", ".join("{%d, kCombining%d}" % (k, k) for k in sorted(by_class))
    parts.append(f"constexpr CombiningClass kCombiningClassesList[] = {{{rows}}};\n")
    tables.append("const std::span<const CombiningClass> kCombiningClasses = kCombiningClassesList;\n")
    for name in ("Canonical", "Compatible", "Lowercase"):
        tables.append(f"const Table k{name} = k{name}Map;\n")
    tables.append("const Table kCompositions = kCompositionList;\n")

    OUTPUT.write_text(
        "// Generated by scripts/generate_unicode_tables.py from tokenizers "
        f"{tokenizers.__version__}: do not edit. See unicode_tables.h for the encodings.\n"
        '#include "text/unicode/unicode_tables.h"\n\nnamespace vsr::text::tables {\nnamespace {\n\n// clang-format off\n'
        + "\n".join(parts)
        + "// clang-format on\n\n}  // namespace\n\n"
        + "".join(tables)
        + "\n}  // namespace vsr::text::tables\n"
    )
    print(OUTPUT, OUTPUT.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
