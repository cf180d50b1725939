"""Runs each form of ending and forking several times, at several moments, with a limit: none may hang, abort or crash.

Usage: process.py <project folder> <forms> <unload> <libvsr.so> [<rounds>]
"""

import contextlib
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

MODEL = pathlib.Path(sys.argv[1]) / "tests" / "goldens" / "models" / "bert-embedding"
FORMS, UNLOAD, LIBRARY = sys.argv[2:5]
ROUNDS = int(sys.argv[5]) if len(sys.argv) > 5 else 3
SECONDS = 60
EXITS = ["embedding", "of-thread", "loading", "routing", "tokenizing"]
FORKS = ["fork-idle", "fork-twice", "fork-busy", "fork-callback"]
NO_REDIS, WITH_REDIS, DEAD_REDIS = "without Redis", "with Redis", "with a Redis that is gone"


@contextlib.contextmanager
def redis_server():
    with tempfile.TemporaryDirectory(prefix="vsr-process-") as folder:
        socket = pathlib.Path(folder) / "s"
        command = ["redis-server", "--port", "0", "--unixsocket", socket, "--save", "", "--dir", folder]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for _ in range(500):
                if socket.exists():
                    break
                time.sleep(0.01)
            yield socket
        finally:
            server.kill()
            server.wait()


def problem_of(command):
    """What went wrong; None: nothing."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"hung for {SECONDS} s"
    return None if done.returncode == 0 else f"ended with {done.returncode}: {done.stderr.strip()[-300:]}"


def cases(redis, dead_redis):
    forms = [f"exit-{form}" for form in EXITS] + ["static-free", "static-call", "quick-exit", *FORKS]
    for form in forms:
        yield f"{form} {NO_REDIS}", [FORMS, form, MODEL], []
    for form in ["exit-routing", "static-free", *FORKS]:
        if redis is not None:
            yield f"{form} {WITH_REDIS}", [FORMS, form, MODEL], [redis]
        yield f"{form} {DEAD_REDIS}", [FORMS, form, MODEL], [dead_redis]
    yield "unload", [UNLOAD, LIBRARY, MODEL], []


def main():
    passed = failed = skipped = 0
    with contextlib.ExitStack() as stack:
        scratch = stack.enter_context(tempfile.TemporaryDirectory(prefix="vsr-process-"))
        redis = stack.enter_context(redis_server()) if shutil.which("redis-server") else None
        if redis is None:
            print("skipped: no redis-server (hint: scripts/bootstrap.sh installs it)")
            skipped += 1
        for name, command, rest in cases(redis, "/nonexistent/redis.sock"):
            problems = []
            for i in range(ROUNDS):
                problem = problem_of([*command, str(i * 7), scratch, *rest])
                if problem is not None:
                    problems.append(problem)
            passed, failed = (passed, failed + 1) if problems else (passed + 1, failed)
            for problem in problems:
                print(f"failed: {name}: {problem}")
    print(f"cases: {passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


sys.exit(main())
