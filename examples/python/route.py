"""Routes texts to private intents, each defined by a few examples: python route.py MODEL [TEXT ...]

MODEL is the folder of an embedding model such as all-MiniLM-L6-v2. Without texts a few are given.
"""

import sys
import time

import vsr

INTENTS = {
    "lost_card": ["I lost my card", "my card is gone", "I cannot find my debit card anywhere"],
    "transfer": ["send money to a friend", "transfer 50 euros to my savings account", "pay my landlord"],
    "book_flight": ["book a flight to Lisbon", "I need a plane ticket for Monday", "find flights from Oslo to Rome"],
    "weather": ["will it rain tomorrow?", "what is the forecast for the weekend", "how cold is it outside"],
}
QUESTIONS = [
    "Where did I leave my credit card?",
    "Could you move 200 dollars to my mother?",
    "Cheapest way to fly to Tokyo in May?",
    "Do I need an umbrella today?",
    "Who wrote War and Peace?",
]


def main(arguments: list[str]) -> int:
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        model = vsr.load(arguments[0])
        intents = vsr.Intents(model, top_k=3, threshold=0.4)
        for label, examples in INTENTS.items():
            intents.add(label, examples)
        for text in arguments[1:] or QUESTIONS:
            began = time.perf_counter()
            match = intents.route([text])[0]
            milliseconds = 1000 * (time.perf_counter() - began)
            print(f"{text:45.45}  {match.label or 'none of these':14} {match.score:6.3f}  {milliseconds:5.1f} ms")
    except vsr.Error as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
