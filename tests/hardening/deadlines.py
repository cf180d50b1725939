#!/usr/bin/env python3
"""How long after its deadline, or after a cancel, a route ends: nasty requests of several sizes, every kind of free signal.

  PYTHONPATH=build/bindings/python tests/hardening/deadlines.py [--sizes 1,10,60] [--most MS] [--name SUBSTRING]

A run without a deadline says how long the request takes; then deadlines spread over that time. Exits with 1 when one is
overshot by more than --most (50) milliseconds. A busy machine adds its own delays, so the least of three tries counts.
"""

import argparse
import pathlib
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import memory
import nasty_texts
import vsr

TRIES = 3
SHARES = (0.02, 0.1, 0.3, 0.6, 0.9)
LONGEST = 20.0


def route(router, body, **options):
    begin = time.perf_counter()
    try:
        router.route(body, evaluate_all=True, **options)
        outcome = "ok"
    except vsr.DeadlineError:
        outcome = "deadline"
    except vsr.CancelledError:
        outcome = "cancelled"
    except vsr.Error as error:
        outcome = str(error)[:60]
    return time.perf_counter() - begin, outcome


def overshoot(router, body, seconds):
    """Of a deadline after `seconds` seconds, and of a cancel."""
    worst = 0.0
    for cancels in (False, True):
        least = float("inf")
        for _ in range(TRIES):
            if cancels:
                cancel = vsr.Cancel()
                timer = threading.Timer(seconds, cancel.trigger)
                timer.start()
                taken, outcome = route(router, body, cancel=cancel)
                timer.cancel()
            else:
                taken, outcome = route(router, body, deadline_ms=max(1, round(1000 * seconds)))
            least = min(least, 1000 * (taken - seconds))
            if least < 10:
                break
        worst = max(worst, least)
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1,10,60")
    parser.add_argument("--most", type=float, default=50)
    parser.add_argument("--name", default="")
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        router = vsr.Router(memory.config(folder, memory.SIGNALS + ("structure:count",)))
        router.route("a short question")
        for megabytes in options.sizes.split(","):
            for name, make in nasty_texts.requests(int(float(megabytes) * memory.MEGABYTE)).items():
                if options.name not in name:
                    continue
                body = make()
                whole, outcome = route(router, body, deadline_ms=round(1000 * LONGEST))
                late = [overshoot(router, body, share * whole) for share in SHARES if share * whole > 0.001]
                worst = max(late, default=0.0)
                failed += worst > options.most
                print(
                    f"{megabytes:>4} MB  {name:32}{1000 * whole:9.0f} ms whole  {worst:7.1f} ms late  {outcome}"
                    f"{'  TOO LATE' if worst > options.most else ''}",
                    flush=True,
                )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
