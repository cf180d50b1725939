"""Rows for same_question: whether two questions ask for the same thing, so that one answer serves both.

Most rows come in twos: a question with one of its paraphrases, and the same question with a minimal change after which
another answer is due, worded alike or anew. Neither the words of a text nor how many of them two texts share may tell
the label. Word groups are those that the cache's veto reads (src/facts/word_groups.inc).
"""

import collections
import csv
import json
import pathlib
import random
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
GROUPS = ROOT / "src" / "facts" / "word_groups.inc"
FRAMES = pathlib.Path(__file__).parent / "own" / "question_frames.txt"
# Intents of CLINC150 whose texts all ask for one thing.
ONE_QUESTION = """are_you_a_bot flip_coin tell_joke what_is_your_name who_made_you how_old_are_you report_lost_card
    reset_settings pin_change routing credit_score direct_deposit find_phone goodbye greeting meaning_of_life next_song
    order_checks pto_balance repeat replacement_card_duration rewards_balance tire_pressure what_can_i_ask_you
    do_you_have_pets improve_credit_score income international_fees jump_start lost_luggage min_payment new_card
    oil_change_how oil_change_when payday redeem_rewards rollover_401k tire_change w2 what_song where_are_you_from
    who_do_you_work_for what_are_your_hobbies change_ai_name credit_limit fun_fact roll_dice current_location""".split()
# Wordings of how a request begins; those of a line say the same.
OPENINGS = [
    ["how do i", "how can i", "what is the best way to", "what do i need to do to", "please tell me how to", "how would i",
     "how does one", "what steps do i take to", "i'd like to know how to", "tell me how i can", "is there a way to",
     "can you help me", "i want to", "i need to", "i would like to", "help me to", "how to"],
    ["what is", "what's", "can you tell me", "tell me", "i need to know", "do you know", "could you say", "i want to know",
     "please say", "let me know"],
    ["can you", "could you", "please", "would you", "will you please", "i need you to", "i want you to", "go ahead and",
     "can you please"],
    ["why is", "how come", "what is the reason that", "why would it be that"],
    ["where can i", "where do i", "what is a place where i can", "in which place can i", "where would i"],
    ["is it possible to", "can i", "am i able to", "may i", "is there a way to", "could i"],
    ["what are", "which are", "tell me", "name", "can you list", "give me"],
]  # fmt: skip
CONTRACTIONS = [("what is", "what's"), ("i am", "i'm"), ("do not", "don't"), ("cannot", "can't"), ("it is", "it's"),
                ("does not", "doesn't"), ("i would", "i'd"), ("i have", "i've"), ("is not", "isn't"),
                ("did not", "didn't"), ("there is", "there's")]  # fmt: skip
BEFORE = ["hi, ", "hello, ", "please, ", "hey ", "quick question: ", "excuse me, ", "ok so ", "just wondering, ", "um ",
          "i have a question, "]  # fmt: skip
AFTER = ["?", " please", " thanks", ", thank you", ".", " for me", "??", " please?", " exactly"]
LITTLE = set(
    """a an the this that these those it its is are was were be been am do does did done have has had can could will
    would shall should may might must i me my we us our you your he him his she her they them their there what which who
    whom whose when where why how so then also too as if of in on at by for from to into with about and or but than
    please not no dont im whats want need know tell like get any some all just really much many""".split()
)
MODIFIERS = """old new second joint shared main international local foreign business personal temporary virtual physical
    prepaid electric used rented broken spare large small red digital monthly annual first last other best cheapest
    daily weekly organic raw frozen recent former future next""".split()
NEARLY_NOT = ["hardly", "barely", "scarcely", "never", "no longer", "rarely"]
TURNED = {"to": "from", "from": "to", "with": "without", "without": "with", "before": "after", "after": "before",
          "in": "out of", "into": "out of", "on": "off", "off": "on", "over": "under", "above": "below", "up": "down",
          "when": "where", "where": "when", "why": "when", "who": "when", "for": "against", "my": "your", "your": "my",
          "his": "her", "her": "his"}  # fmt: skip


def words_of(text):
    return re.findall(r"[\w'-]+", text.lower())


class WordGroups:
    """Which words exclude each other, and which mean the same. English ones alone."""

    def __init__(self):
        self.same, self.other = collections.defaultdict(set), collections.defaultdict(set)
        for line in GROUPS.read_text("utf-8").splitlines()[1:-1]:
            if line.startswith("# German"):
                break
            if not line or line[0] == "#":
                continue
            members = [member.split() for member in line.split("|")]
            for i, member in enumerate(members):
                for word in member:
                    self.same[word].update(w for w in member if w != word)
                    self.other[word].update(w for j, m in enumerate(members) if j != i for w in m)

    def find(self, table, word):
        """The words of a table for a word, with its plural ending."""
        if table.get(word):
            return sorted(table[word])
        if word.endswith("s") and table.get(word[:-1]):
            return sorted(w + "s" for w in table[word[:-1]])
        return []


def swapped(words, i, new):
    return words[:i] + new.split() + words[i + 1 :]


class Editor:
    def __init__(self, texts, generator):
        self.random, self.groups = generator, WordGroups()
        self.between = collections.defaultdict(collections.Counter)
        for text in texts:
            words = ["<", *words_of(text), ">"]
            for left, word, right in zip(words, words[1:], words[2:]):
                if word not in LITTLE:
                    self.between[left, right][word] += 1

    # What keeps the meaning.

    def synonym(self, words):
        places = [(i, self.groups.find(self.groups.same, w)) for i, w in enumerate(words)]
        places = [(i, found) for i, found in places if found]
        if not places:
            return None
        i, found = self.random.choice(places)
        return swapped(words, i, self.random.choice(found))

    def opening(self, words):
        text = " ".join(words)
        for row in OPENINGS:
            for opening in sorted(row, key=len, reverse=True):
                if text.startswith(opening + " "):
                    return (self.random.choice([o for o in row if o != opening]) + text[len(opening) :]).split()
        return None

    def contraction(self, words):
        text = " ".join(words)
        for long, short in self.random.sample(CONTRACTIONS, len(CONTRACTIONS)):
            for old, new in ((long, short), (short, long)):
                if f" {old} " in f" {text} ":
                    return f" {text} ".replace(f" {old} ", f" {new} ", 1).split()
        return None

    def articles(self, words):
        places = [i for i, w in enumerate(words) if w in ("a", "an", "the")]
        return words[: (i := self.random.choice(places))] + words[i + 1 :] if places else None

    def padding(self, words):
        text = " ".join(words)
        before = self.random.random() < 0.5
        return (self.random.choice(BEFORE) + text if before else text + self.random.choice(AFTER)).split()

    def typo(self, words):
        places = [i for i, w in enumerate(words) if len(w) > 5]
        if not places:
            return None
        i = self.random.choice(places)
        at = self.random.randrange(1, len(words[i]) - 2)
        return swapped(words, i, words[i][:at] + words[i][at + 1] + words[i][at] + words[i][at + 2 :])

    def reworded(self, text, least=1, most=3):
        words = text.split()
        kinds = [self.synonym] * 3 + [self.opening] * 4 + [self.contraction, self.articles, self.padding, self.typo]
        for kind in self.random.sample(kinds, self.random.randrange(least, most + 1)):
            words = kind(words) or words
        return " ".join(words)

    # What changes it.

    def contrast(self, words):
        places = [(i, self.groups.find(self.groups.other, w)) for i, w in enumerate(words)]
        places = [(i, found) for i, found in places if found]
        if not places:
            return None
        i, found = self.random.choice(places)
        return swapped(words, i, self.random.choice(found))

    def another_word(self, words):
        edged = ["<", *words, ">"]
        places = []
        for i, word in enumerate(words):
            if word in LITTLE or len(word) < 3:
                continue
            found = [w for w in self.between[edged[i], edged[i + 2]] if w != word and w not in self.groups.same[word]
                     and w[:4] != word[:4]]  # fmt: skip
            if found:
                places.append((i, sorted(found)))
        if not places:
            return None
        i, found = self.random.choice(places)
        return swapped(words, i, self.random.choice(found))

    def modifier(self, words):
        determined = [i + 1 for i, w in enumerate(words[:-1]) if w in ("a", "an", "the", "my", "your")]
        places = [i for i in determined if words[i] not in LITTLE]
        if not places:
            return None
        i = self.random.choice(places)
        return words[:i] + [self.random.choice(MODIFIERS)] + words[i:]

    def negated(self, words):
        places = [i + 1 for i, w in enumerate(words) if w in ("is", "are", "can", "do", "does", "should", "will", "i")]
        if not places:
            return None
        i = self.random.choice(places)
        return words[:i] + self.random.choice([["not"], self.random.choice(NEARLY_NOT).split()]) + words[i:]

    def turned(self, words):
        places = [i for i, w in enumerate(words) if w in TURNED]
        return swapped(words, i, TURNED[words[i]]) if places and (i := self.random.choice(places)) is not None else None

    def exchanged(self, words):
        """Two content words take each other's place."""
        places = [i for i, w in enumerate(words) if w not in LITTLE and len(w) > 2]
        pairs = [(a, b) for a in places for b in places if a + 1 < b and words[a] != words[b]]
        if not pairs:
            return None
        a, b = self.random.choice(pairs)
        words = list(words)
        words[a], words[b] = words[b], words[a]
        return words

    def changed(self, text):
        kinds = [self.contrast] * 5 + [self.another_word] * 5
        kinds += [self.modifier, self.negated, self.turned, self.turned, self.exchanged]
        for kind in self.random.sample(kinds, len(kinds)):
            if (words := kind(text.split())) and words != text.split():
                return " ".join(words)
        return None


def frames():
    """(fillers by kind, [wordings of one question])"""
    kinds, families, family = {}, [], []
    for line in FRAMES.read_text("utf-8").splitlines() + [""]:
        if line.startswith("@"):
            name, _, values = line[1:].partition(": ")
            kinds[name] = [value.strip() for value in values.split(";")]
        elif line and line[0] != "#":
            family.append(line)
        elif family:
            families.append(family)
            family = []
    return kinds, families


def grammar_rows(editor, count):
    kinds, families = frames()
    generator = editor.random
    for number in range(count):
        variants = families[number % len(families)]
        slots = sorted(set(re.findall(r"{([\w:]+)}", " ".join(variants))))
        filled = {}
        for slot in slots:
            kind = slot.rpartition(":")[2]
            filled[slot] = generator.choice([v for v in kinds[kind] if v not in filled.values()])
        other = changed_slots(filled, kinds, editor)
        source, group = "frames", f"frame {number % len(families)}"
        first, second = generator.sample(variants, 2)
        text = fill(first, filled)
        yield row(text, editor.reworded(fill(second, filled), 0, 2), "same", source, group)
        # The changed question in the first one's wording, where only the change tells, or in another.
        wording = first if generator.random() < 0.5 else second
        changed = fill(wording, other)
        if changed != fill(wording, filled):
            yield row(
                text, changed if generator.random() < 0.6 else editor.reworded(changed), "different", source, group
            )


def changed_slots(filled, kinds, editor):
    generator, other = editor.random, dict(filled)
    if "a:" in " ".join(filled) and generator.random() < 0.6:
        a, b = [slot for slot in filled if slot[:2] in ("a:", "b:")]
        other[a], other[b] = filled[b], filled[a]
        return other
    slot = generator.choice(sorted(filled))
    opposite = editor.contrast(filled[slot].split())
    if opposite and generator.random() < 0.5:
        other[slot] = " ".join(opposite)
    else:
        other[slot] = generator.choice([v for v in kinds[slot.rpartition(":")[2]] if v not in filled.values()])
    return other


def fill(wording, filled):
    return re.sub(r"{([\w:]+)}", lambda match: filled[match[1]], wording)


def row(text, pair, label, source, group):
    return {"text": text, "text_pair": pair, "label": label, "source": source, "group": group}


def edited_rows(texts, editor):
    for text in texts:
        changed = editor.changed(text)
        if changed is None:
            continue
        reworded = editor.reworded(text)
        if reworded != text:
            yield row(text, reworded, "same", "edited", text)
        chance = editor.random.random()
        if chance < 0.4:
            yield row(text, changed, "different", "edited", text)
        elif chance < 0.7:
            yield row(reworded, changed, "different", "edited", text)
        else:
            yield row(text, editor.reworded(changed), "different", "edited", text)


class Nearness:
    """Cosine of texts as bags of words, rare ones weighing more."""

    def __init__(self, texts):
        count = collections.Counter(w for text in texts for w in set(words_of(text)))
        self.weight = {w: 1 / (1 + n) ** 0.4 for w, n in count.items()}

    def __call__(self, a, b):
        a, b = set(words_of(a)), set(words_of(b))
        total = lambda words: sum(self.weight.get(w, 0) ** 2 for w in words)
        return total(a & b) / max(1e-9, (total(a) * total(b)) ** 0.5)


def intent_rows(labelled, editor, one_question, source, count):
    """Two texts of an intent that is one question; a text and the most alike of several of other intents."""
    by_intent = collections.defaultdict(list)
    for text, label in labelled:
        by_intent[label].append(text)
    near, generator = Nearness([text for text, _ in labelled]), editor.random
    intents = sorted(by_intent)
    chosen = [label for label in intents if label in one_question]
    for _ in range(count):
        label = generator.choice(chosen)
        text = generator.choice(by_intent[label])
        others = generator.sample(by_intent[label], min(8, len(by_intent[label])))
        other = max((o for o in others if o != text), key=lambda o: near(text, o) + 0.3 * generator.random())
        yield row(text, other, "same", source, text)
        strangers = [generator.choice(by_intent[generator.choice(intents)]) for _ in range(60)]
        strangers = [s for s in strangers if s not in by_intent[label]]
        yield row(text, max(strangers, key=lambda s: near(text, s)), "different", source, text)


def cleaned(text):
    return " ".join(text.replace("\n", " ").split()).rstrip("?.! ").lower()


def rows(data, seed):
    generator = random.Random(seed)
    clinc = json.loads((data / "intents" / "clinc150.json").read_text("utf-8"))["train"]
    clinc = [(cleaned(text), label) for text, label in clinc if len(text.split()) <= 20]
    with (data / "intents" / "banking77_train.csv").open(newline="", encoding="utf-8") as file:
        banking = [(cleaned(r["text"]), r["category"]) for r in csv.DictReader(file) if len(r["text"].split()) <= 20]
    editor = Editor([text for text, _ in clinc + banking], generator)
    yield from grammar_rows(editor, 7000)
    texts = generator.sample(sorted({t for t, _ in clinc if len(t.split()) > 3}), 4000)
    texts += generator.sample(sorted({t for t, _ in banking}), 2000)
    yield from edited_rows(texts, editor)
    yield from intent_rows(clinc, editor, set(ONE_QUESTION), "clinc150", 1200)
    yield from intent_rows(banking, editor, {label for _, label in banking}, "banking77", 800)
