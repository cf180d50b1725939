"""Training rows for the task `pii`: the sentences of presidio-research with consistent labels, and some of our own.

Own sentences fill slots from lists and generators below, so that types which the data knows from one or two templates
only are seen in more than those. They are trained on, never measured on.
"""

import csv
import json
import pathlib
import random
import re
import string

import tomllib

OWN = pathlib.Path(__file__).parent / "own" / "pii_sentences.txt"
VALUES = OWN.with_name("pii_values.toml")
OWN_ROWS = 2000
PLAIN_ROWS = 500
FORM_OF_ADDRESS = re.compile(r"(mr|mrs|ms|miss|dr|prof|ing)\.?", re.IGNORECASE)
# Only these come between the parts of one postal address.
BETWEEN = re.compile(r"[\s,]{0,4}")


class Values:
    """Made-up values of each type."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lists = tomllib.loads(VALUES.read_text("utf-8"))

    def one_of(self, name):
        return self.random.choice(self.lists[name])

    def digits(self, count):
        return "".join(self.random.choice(string.digits) for _ in range(count))

    def shaped(self, *shapes):
        """One of the shapes, # replaced by a digit and @ by a capital letter."""
        shape = self.random.choice(shapes)
        return "".join(
            self.digits(1) if c == "#" else self.random.choice(string.ascii_uppercase) if c == "@" else c for c in shape
        )

    def make(self, label):
        return getattr(self, label.lower())()

    def person(self):
        first, last = self.one_of("first_names"), self.one_of("last_names")
        double = f"{last}-{self.one_of('last_names')}"
        forms = [
            first,
            first,
            last,
            f"{first} {last}",
            f"{first} {last}",
            f"{first} {last}",
            f"{first} {double}",
            f"{first} {self.one_of('first_names')} {last}",
            f"Dr. {last}",
            f"Mrs. {last}",
            f"Mr. {first} {last}",
            f"{first} van {last}",
        ]
        return self.random.choice(forms)

    def location(self):
        return self.one_of("places")

    def organization(self):
        names = [
            self.one_of("firms"),
            self.one_of("last_names"),
            f"{self.one_of('last_names')}-{self.one_of('last_names')}",
            "{}, {} and {}".format(*(self.one_of("last_names") for _ in range(3))),
        ]
        name = self.random.choice(names[:1] * 3 + names[1:])
        kind = self.one_of("kinds_of_firm")
        if not kind and name not in self.lists["firms"]:
            kind = "Ltd."
        return f"{name} {kind}".strip()

    def address(self):
        street, city = self.one_of("streets"), self.random.choice(self.lists["places"][:30])
        number, flat = self.shaped("#", "##", "###", "####"), self.shaped(" Apt. ###", " Suite ###", "", "", " Flat #")
        code = self.shaped("#####", "#### @@", "@@# #@@", "##-###")
        between = self.random.choice([", ", " ", "\n"])
        forms = [
            f"{number} {street}",
            f"{street} {number}",
            f"{number} {street}{flat}{between}{city}",
            f"{number} {street}{flat}{between}{city}{between}{self.random.choice(self.lists['places'][30:])} {code}",
            f"{street} {number}{flat}{between}{code} {city}",
            f"P.O. Box {number}{between}{city} {code}",
            f"the corner of {street} and {self.one_of('streets')}",
            f"{self.digits(2)} {street} {number}{flat}{between}{city}{between}{code}",
        ]
        return self.random.choice(forms)

    def title(self):
        return self.one_of("jobs")

    def credit_card(self):
        return self.shaped(
            "4###############",
            "5###############",
            "37#############",
            "#### #### #### ####",
            "4###-####-####-####",
            "6011############",
        )

    def us_ssn(self):
        return self.shaped("###-##-####", "###-##-####", "### ## ####")

    def phone_number(self):
        return self.shaped(
            "###-###-####",
            "(###) ###-####",
            "+## ## ### ## ##",
            "0### ### ###",
            "###.###.####",
            "0## ## ## ##",
            "+1-###-###-####x###",
            "(0##) ####-####",
            "##########",
            "0##-####-####",
            "001-###-###-####",
        )

    def email_address(self):
        first, last = self.one_of("first_names"), self.one_of("last_names")
        user = self.random.choice(
            [
                f"{first}{last}",
                f"{first}.{last}".lower(),
                f"{first[0]}{last}".lower(),
                f"{first}_{self.digits(2)}",
                f"info.{last}".lower(),
            ]
        )
        return f"{user}@{self.site()}"

    def site(self):
        words = self.random.sample(
            ["travel", "post", "blue", "home", "book", "city", "mail", "cook", "photo", "garden", "run"], 2
        )
        return (
            self.random.choice(["".join(words), "".join(w.title() for w in words), "-".join(words)])
            + "."
            + self.one_of("top_level_domains")
        )

    def domain_name(self):
        return (
            self.random.choice(["http://www.", "https://", "http://", "www.", "https://www."])
            + self.site()
            + self.random.choice(["/", "", "/"])
        )

    def ip_address(self):
        if self.random.random() < 0.3:
            return ":".join(f"{self.random.randrange(65536):x}" for _ in range(8))
        return ".".join(str(self.random.randrange(1, 255)) for _ in range(4))

    def iban_code(self):
        return self.shaped(
            "GB##@@@@##############",
            "DE####################",
            "FR#########################",
            "NL##@@@@##########",
            "ES## #### #### #### #### ####",
        )

    def us_driver_license(self):
        return self.shaped("#########", "@########", "@@######@", "########", "@##############", "@#######", "#######")

    def date_time(self):
        r = self.random
        day, month, year = r.randrange(1, 29), r.randrange(1, 13), r.randrange(1930, 2026)
        name = r.choice("January February March April May June July August September October November December".split())
        clock = f"{r.randrange(24):02}:{r.randrange(60):02}"
        return r.choice(
            [
                f"{month}/{day}/{year}",
                f"{year}-{month:02}-{day:02}",
                f"{year}-{month:02}-{day:02} {clock}:{r.randrange(60):02}",
                f"{day} {name} {year}",
                f"{name} {day}, {year}",
                f"{day}.{month}.{year}",
                f"{name} {day}",
            ]
        )


def filled(sentence, values):
    """A sentence with its slots filled, and where."""
    text, spans = "", []
    for number, piece in enumerate(re.split(r"\{(\w+)\}", sentence)):
        if number % 2 == 0:
            text += piece
            continue
        value = values.make(piece)
        spans.append({"start": len(text), "end": len(text) + len(value), "label": piece})
        text += value
    return text, spans


def own_rows(seed, plain=()):
    """Own sentences, alone, in pairs, or before or after a sentence without personal data."""
    sentences = [line.replace("\\n", "\n") for line in OWN.read_text("utf-8").splitlines() if line and line[0] != "#"]
    values = Values(seed)
    for number in range(OWN_ROWS):
        parts, chance = [sentences[number % len(sentences)]], values.random.random()
        if chance < 0.2:
            parts.append(values.random.choice(sentences))
        elif plain and chance < 0.5:
            parts.insert(values.random.randrange(2), values.random.choice(plain).replace("{", "("))
        text, spans = filled(values.random.choice([" ", " ", "\n"]).join(parts), values)
        yield {"text": text, "spans": joined(text, spans), "source": "own sentences", "only": "train"}


def plain_sentences(path, generator):
    """Questions of bank customers that name nobody: no capital letter but at the start of a sentence and in "I"."""
    with path.open(newline="", encoding="utf-8") as file:
        texts = sorted({row["text"].strip() for row in csv.DictReader(file)})
    named = re.compile(r"(?<![.?!] )(?<!^)\b(?!I\b)[A-Z]|\d")
    return generator.sample([text for text in texts if not named.search(text)], PLAIN_ROWS)


def joined(text, spans):
    """The parts of one postal address, its place too, become one ADDRESS; a form of address belongs to the name."""
    result = []
    for span in sorted(spans, key=lambda s: s["start"]):
        span = {**span, "label": "PERSON" if span["label"] == "PREFIX" else span["label"]}
        last = result[-1] if result else None
        if last and BETWEEN.fullmatch(text[last["end"] : span["start"]]) and (label := joined_label(text, last, span)):
            last["end"], last["label"] = span["end"], label
        else:
            result.append(span)
    return result


def joined_label(text, one, other):
    labels = {one["label"], other["label"]}
    if labels == {"PERSON"} and FORM_OF_ADDRESS.fullmatch(text[one["start"] : one["end"]]):
        return "PERSON"
    if "ADDRESS" in labels and labels <= {"ADDRESS", "LOCATION"}:
        return "ADDRESS"
    return None


def presidio_rows(path):
    for row in json.loads(path.read_text("utf-8")):
        spans = [
            {"start": s["start_position"], "end": s["end_position"], "label": s["entity_type"]} for s in row["spans"]
        ]
        group = str(row["template_id"])
        yield {
            "text": row["full_text"],
            "spans": joined(row["full_text"], spans),
            "source": "presidio-research",
            "group": group,
        }


def rows(data, seed):
    plain = plain_sentences(data / "intents" / "banking77_train.csv", random.Random(seed))
    yield from presidio_rows(data / "pii" / "presidio_generated.json")
    for text in plain:
        yield {"text": text, "spans": [], "source": "banking77", "only": "train"}
    yield from own_rows(seed, plain)
