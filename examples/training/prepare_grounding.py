"""Rows for grounding: whether a passage supports a claim, made of real sentences.

A passage is a few neighbouring sentences of a text. A claim is one of its sentences as it is or with its numbers
written another way ("supported"); the same with a number, name, date, unit or negation altered, or with two names or
numbers exchanged ("contradicted"); or a sentence from elsewhere in the same text ("unknown"). Most passages give one
of each, so that neither passage nor style tells the label.
"""

import csv
import random
import re

NUMBERS = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty""".split()
MONTHS = """January February March April May June July August September October November December""".split()
UNITS = [["kilometers", "miles", "meters", "feet", "versts"], ["years", "months", "weeks", "days", "hours", "minutes"],
         ["dollars", "euros", "pounds", "rubles", "francs"], ["tons", "kilograms", "grams", "ounces"],
         ["million", "billion", "thousand", "hundred"]]  # fmt: skip
VERBS = "is are was were has have had can could will would should does did".split()
# Names: capitalised words that begin no sentence, and are no title or month.
NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})*")
DIGITS = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?![\w])")
NUMBER_WORD = re.compile(r"\b(" + "|".join(NUMBERS[2:]) + r")\b")
UNIT_WORD = re.compile(r"\b(" + "|".join(word for row in UNITS for word in row) + r")\b")
MONTH_WORD = re.compile(r"\b(" + "|".join(MONTHS) + r")\b(?= \d|,? (?:of )?\d)")


def replaced(text, match, new):
    return text[: match.start()] + new + text[match.end() :]


class Editor:
    def __init__(self, generator, names):
        self.random, self.names = generator, sorted(set(names))

    def one_of(self, pattern, text):
        found = list(pattern.finditer(text))
        return self.random.choice(found) if found else None

    # What keeps the meaning.

    def notation(self, text):
        if match := self.one_of(NUMBER_WORD, text):
            return replaced(text, match, str(NUMBERS.index(match.group())))
        match = self.one_of(DIGITS, text)
        if not match or "." in match.group():
            return None
        value = int(match.group().replace(",", ""))
        if value < len(NUMBERS):
            return replaced(text, match, NUMBERS[value])
        if value >= 10000 and value % 1000 == 0:
            return replaced(text, match, f"{value // 1000} thousand")
        return replaced(text, match, str(value) if "," in match.group() else f"{value:,}") if value > 2200 else None

    # What changes it.

    def number(self, text):
        if match := self.one_of(DIGITS, text):
            digits = match.group()
            at = self.random.choice([i for i, c in enumerate(digits) if c.isdigit()])
            least = 1 if at == 0 else 0
            other = self.random.choice([c for c in "0123456789"[least:] if c != digits[at]])
            return replaced(text, match, digits[:at] + other + digits[at + 1 :])
        if match := self.one_of(NUMBER_WORD, text):
            return replaced(text, match, self.random.choice([w for w in NUMBERS[2:] if w != match.group()]))
        return None

    def name(self, text):
        match = self.one_of(NAME, text)
        others = [
            name
            for name in self.names
            if match and name not in text and len(name.split()) == len(match.group().split())
        ]
        return replaced(text, match, self.random.choice(others)) if others else None

    def date(self, text):
        match = self.one_of(MONTH_WORD, text)
        return replaced(text, match, self.random.choice([m for m in MONTHS if m != match.group()])) if match else None

    def unit(self, text):
        match = self.one_of(UNIT_WORD, text)
        if not match:
            return None
        row = next(row for row in UNITS if match.group() in row)
        return replaced(text, match, self.random.choice([word for word in row if word != match.group()]))

    def negation(self, text):
        if match := re.search(r"\b(" + "|".join(VERBS) + r") not\b ?", text):
            return replaced(text, match, match.group(1) + " ")
        if re.search(r"\b(?:no|never|none|nothing|nobody|neither)\b|n't\b", text, re.IGNORECASE):
            return None
        match = re.search(r"\b(" + "|".join(VERBS) + r")\b", text)
        return replaced(text, match, match.group() + " not") if match and "?" not in text else None

    def exchange(self, text):
        for pattern in self.random.sample([NAME, DIGITS], 2):
            found = list(pattern.finditer(text))
            if len({m.group() for m in found}) < 2:
                continue
            a, b = found[0], next(m for m in found if m.group() != found[0].group())
            return text[: a.start()] + b.group() + text[a.end() : b.start()] + a.group() + text[b.end() :]
        return None

    def altered(self, text):
        """An altered sentence and what was altered; None: there is nothing to alter."""
        kinds = ["number", "name", "date", "unit", "exchange", "negation"]
        self.random.shuffle(kinds)
        # Negation is always possible and would crowd out the rest.
        kinds.sort(key=lambda kind: kind == "negation" and self.random.random() < 0.7)
        for kind in kinds:
            changed = getattr(self, kind)(text)
            if changed and changed != text:
                return changed, kind
        return None


def sentences_of(text):
    text = " ".join(text.split())
    found = re.split(r"(?<=[a-z\d][.!?])\s+(?=[A-Z])", text)
    return [s for s in found if 5 <= len(s.split()) <= 40 and s[0].isupper() and s[-1] in ".!"]


def rows_of(sentences, source, editor, most):
    """Rows of the passages of one text."""
    made = 0
    for begin in range(0, len(sentences) - 8, 3):
        if made >= most:
            return
        passage = sentences[begin : begin + 3]
        text = " ".join(passage)
        group = f"{source} {begin}"
        row = lambda claim, label, kind: {"text": text, "text_pair": claim, "label": label, "source": source,
                                          "kind": kind, "group": group}  # fmt: skip
        claims = passage[:]
        editor.random.shuffle(claims)
        altered = [(claim, found) for claim in claims if (found := editor.altered(claim)) and found[0] not in text]
        if not altered:
            continue
        claim, (changed, kind) = altered[0]
        yield row(changed, "contradicted", kind)
        other = editor.notation(claim)
        yield row(other or claim, "supported", "notation" if other else "verbatim")
        yield row(sentences[begin + 3 + editor.random.randrange(5)], "unknown", "elsewhere")
        made += 3


def texts_of(data):
    """Name, sentences."""
    novel = (data / "texts" / "war_and_peace.txt").read_text("utf-8", errors="replace")
    yield "war-and-peace", sentences_of(novel)
    for name, column in (("mnli", "premise"), ("snli", "premise")):
        with (data / "nli" / f"{name}_train.csv").open(newline="", encoding="utf-8") as file:
            premises = dict.fromkeys(row[column] for row in csv.DictReader(file))
        yield name, [s for premise in premises for s in sentences_of(premise)]


def rows(data, seed, most=6000):
    generator = random.Random(seed)
    for source, sentences in texts_of(data):
        names = [match.group() for sentence in sentences for match in NAME.finditer(sentence)]
        for made in rows_of(sentences, source, Editor(generator, names[:5000]), most):
            yield {key: value for key, value in made.items() if key != "kind"}
