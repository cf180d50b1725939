"""Vocabulary and texts of the tiny golden models. Written for these tests."""

WORDS = (
    "the a an is it my your card bank money lost where how to can i you we pay book flight hotel paris berlin "
    "weather today what time please help me with account balance transfer in on of and or not cafe strasse ##ing ##ed "
    "##s ##er ##ly ##tion hello world"
).split()
LETTERS = list("abcdefghijklmnopqrstuvwxyz")
PUNCTUATION = list(".,;:!?'\"-()[]/@#$%&*+=<>_")
DIGITS = list("0123456789")
OTHER = ["你", "好", "世", "界", "銀", "行", "日", "本", "é", "ß", "ø", "привет", "##т", "и", "🙂", "π"]

VOCABULARY = list(
    dict.fromkeys(
        ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
        + WORDS
        + PUNCTUATION
        + DIGITS
        + LETTERS
        + ["##" + c for c in LETTERS + DIGITS]
        + OTHER
    )
)

SHORT_TEXTS = [
    "Where is my card?",
    "",
    "   \t\n ",
    "Please help me transfer money to my bank account.",
    "Café in Strasse 12, Ærø: £5 naïve É é",
    "你好世界 means hello world",
    "hello 🙂 world 👩‍💻 ok",
    "привет и π",
    "nul\x00inside and a soft\u00adhyphen, a\u200bzero width space",
    "[CLS] is not [MASK]ed here [SEP]",
    "banking-cards@paris.example #1 (100%) <a_b> 'quoted' \"too\"",
    "İstanbul ǅ ﬁne e\u0301 \ufffd end",
]

LONG_TEXTS = [
    "how can i pay with my lost card " * 6,
    "Book a flight to Paris, please: weather today? " * 9,
    "你好 hello 🙂 " * 40,
    "unbelievabletransactions" * 4,
    "longerthanawordmaybe" * 10 + " hello",
]

PAIRS = [
    ["Where is my card?", "it is not lost"],
    ["hello", ""],
    ["", "你好世界"],
    ["the weather in paris today", "the weather in berlin is hello"],
    ["what time is it", "please help me with my account balance and transfer money to my bank " * 4],
    ["book a hotel in Berlin and pay with my card " * 5, "can i pay?"],
]
