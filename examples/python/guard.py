"""Holds the answer on standard input against facts, and ends it at the first claim that they contradict:

python guard.py FACTS < ANSWER

FACTS is a file with one fact per line; the answer is plain text, or the body of a stream of server-sent events.
"""

import sys

import vsr


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    with open(arguments[0], encoding="utf-8") as file:
        facts = vsr.Facts([line for line in file.read().splitlines() if line.strip()])
    guard = vsr.Guard(facts, policy="terminate", hold=True)
    ended = False
    while not ended:
        piece = sys.stdin.buffer.read1(65536)
        step = guard.feed(piece) if piece else guard.finish()
        sys.stdout.buffer.write(step.forward)
        sys.stdout.buffer.flush()
        for event in step.events:
            fact = "" if event.fact is None else f" (fact {event.fact + 1})"
            print(f"{event.kind}: {event.text!r} in {event.claim!r}{fact}", file=sys.stderr)
        ended = step.ended or not piece
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
