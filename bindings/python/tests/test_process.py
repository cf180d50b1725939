"""Hosts that fork, end, or hold the GIL, each as a process of its own with a time limit."""

import shutil
import subprocess
import sys
import textwrap
import time

import pytest
from conftest import tiny

CONFIG = """version: v0.3
routing:
  modelCards: [{name: a}]
  signals:
    keywords: [{name: urgent, operator: OR, keywords: [urgent]}]
  decisions:
    - {name: d, rules: {type: keyword, name: urgent}, modelRefs: [{model: a}]}
providers: {defaults: {default_model: a}, models: [{name: a}]}
vsr:
  models: {m: {path: %s}}
  cache: {threshold: 0.9%s}
"""

PRELUDE = """
import multiprocessing, os, random, signal, sys, threading, time
import vsr

path, model, server = sys.argv[1], sys.argv[2], int(sys.argv[3])
random.seed(1)

def chat(text):
    return {"model": "auto", "messages": [{"role": "user", "content": text}]}

def use(router, text="urgent"):
    decision = router.route(chat(f"{text} {random.random()}"))
    router.store(decision, '{"choices": [{"message": {"content": "answer"}}]}')
    return decision.name

def wait(child):
    for _ in range(2000):
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            assert status == 0, f"the child ended with {status}"
            return
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    raise AssertionError("the child hangs")
"""


@pytest.fixture()
def run(tmp_path):
    """Runs a script with a router's config, with a Redis (None: without), and expects it to end well and soon."""
    servers = []

    def run_script(script, redis=None, rounds=1):
        path = tmp_path / "router.yaml"
        socket = tmp_path / "s"
        path.write_text(CONFIG % (tiny("bert-embedding"), "" if redis is None else f', redis: "{socket}"'))
        for _ in range(rounds):
            pid = 0
            if redis:
                socket.unlink(missing_ok=True)
                command = ["redis-server", "--port", "0", "--unixsocket", socket, "--save", "", "--dir", tmp_path]
                servers.append(subprocess.Popen(command, stdout=subprocess.DEVNULL))
                pid = servers[-1].pid
                for _ in range(1000):
                    if socket.exists():
                        break
                    time.sleep(0.01)
            program = PRELUDE + textwrap.dedent(script)
            command = [sys.executable, "-c", program, path, tiny("bert-embedding"), str(pid)]
            done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
            assert done.returncode == 0, done.stderr[-2000:]

    yield run_script
    for server in servers:
        server.kill()
        server.wait()


needs_redis = pytest.mark.skipif(shutil.which("redis-server") is None, reason="no redis-server")


@needs_redis
def test_a_router_with_a_log_is_freed_while_its_redis_goes(run):
    run(
        """
        lines = []
        for i in range(20):
            router = vsr.Router(path, log=lambda level, line: lines.append((threading.current_thread(), line)))
            use(router, f"urgent {i}")
            if i == 3:
                os.kill(server, signal.SIGKILL)
            time.sleep(random.random() * 0.02)
            del router
        assert any("redis" in line for _, line in lines)
        assert all(thread is threading.main_thread() for thread, _ in lines)
        """,
        redis=True,
        rounds=3,
    )


@needs_redis
def test_what_happens_while_nobody_calls_is_told_by_the_next_call(run):
    run(
        """
        lines = []
        router = vsr.Router(path, log=lambda level, line: lines.append(line))
        use(router)
        os.kill(server, signal.SIGKILL)
        for _ in range(1000):
            router.decide({})
            if any("goes on with memory" in line for line in lines):
                break
            time.sleep(0.01)
        else:
            raise AssertionError(lines)
        """,
        redis=True,
    )


@pytest.mark.parametrize("redis", [None, False, True])
def test_a_forked_worker_routes_and_computes(run, redis):
    if redis and shutil.which("redis-server") is None:
        pytest.skip("no redis-server")
    run(
        """
        router, embedder = vsr.Router(path), vsr.load(model)
        before = embedder.embed("urgent")
        use(router)
        for i in range(4):
            child = os.fork()
            if child == 0:
                assert (embedder.embed("urgent") == before).all()
                assert use(router, f"urgent {i}") == "d"
                assert vsr.load(model).embed("a").shape == before.shape
                sys.exit(0)
            wait(child)
            use(router)
        assert (embedder.embed("urgent") == before).all()
        """,
        redis=redis,
    )


def test_a_pool_of_forked_processes_uses_what_its_parent_opened(run):
    run(
        """
        router, embedder = vsr.Router(path), vsr.load(model)
        embedder.embed("a")
        def work(i):
            return use(router, f"urgent {i}"), embedder.embed(str(i)).shape
        with multiprocessing.get_context("fork").Pool(3) as pool:
            assert len(pool.map(work, range(20))) == 20
        """
    )


@needs_redis
def test_parent_and_child_share_no_connection(run):
    run(
        """
        def sockets():
            found = set()
            for name in os.listdir("/proc/self/fd"):
                try:
                    target = os.readlink("/proc/self/fd/" + name)
                except FileNotFoundError:
                    continue
                if target.startswith("socket:"):
                    found.add(target)
            return found
        router = vsr.Router(path)
        use(router)
        of_parent = sockets()
        assert of_parent
        child = os.fork()
        if child == 0:
            assert not sockets() & of_parent
            use(router)
            assert sockets() and not sockets() & of_parent
            os._exit(0)
        wait(child)
        """,
        redis=True,
    )


@pytest.mark.parametrize("body", ["embedder.embed(['urgent'] * 20)", "use(router)", "vsr.load(model)"])
def test_the_interpreter_ends_while_daemon_threads_are_in_calls(run, body):
    run(
        f"""
        router, embedder = vsr.Router(path, log=print), vsr.load(model)
        def work():
            while True:
                {body}
        for _ in range(3):
            threading.Thread(target=work, daemon=True).start()
        time.sleep(random.random() * 0.1)
        """,
        rounds=5,
    )


@pytest.mark.parametrize("tier", [", redis: '127.0.0.1:1'", ", snapshot: s.vsr"])
def test_the_interpreter_ends_while_lines_wait_for_the_log(run, tier):
    run(
        f"""
        text = open(path).read()
        if {tier!r} not in text:
            with open(path, "w") as file:
                file.write(text.replace("cache: {{threshold: 0.9", "cache: {{threshold: 0.9" + {tier!r}))
        router = vsr.Router(path, log=lambda level, line: None)
        def work():
            try:
                while True:
                    router.route("q")
            except vsr.StateError:
                pass
        for _ in range(4):
            threading.Thread(target=work, daemon=True).start()
        time.sleep(random.random() * 0.2)
        """,
        rounds=3,
    )


@pytest.mark.parametrize("after", [0.01, 0.03, 0.05, 0.1])
def test_the_interpreter_ends_while_the_first_call_loads_a_model(run, after):
    run(
        f"""
        def work():
            try:
                vsr.load(model)
            except vsr.StateError:
                pass
        for _ in range(4):
            threading.Thread(target=work, daemon=True).start()
        time.sleep({after})
        """,
        rounds=3,
    )


def test_the_interpreter_ends_while_a_callback_waits_for_it(run):
    run(
        """
        embedder = vsr.load(model)
        def work():
            while True:
                embedder.embed(["urgent"] * 50, progress=lambda done, total: time.sleep(0.001))
        for _ in range(3):
            threading.Thread(target=work, daemon=True).start()
        time.sleep(0.05)
        """,
        rounds=3,
    )


def test_a_child_forked_in_the_midst_of_calls_works_or_says_so(run):
    run(
        """
        embedder = vsr.load(model)
        def work():
            while True:
                embedder.embed(["urgent " * 50] * 20)
        for _ in range(3):
            threading.Thread(target=work, daemon=True).start()
        for _ in range(5):
            time.sleep(random.random() * 0.05)
            child = os.fork()
            if child == 0:
                try:
                    embedder.embed("a")
                except vsr.StateError as error:
                    assert "forked" in str(error)
                os._exit(0)
            wait(child)
        """
    )
