"""Routers whose log leads back to them are freed all the same."""

import gc
import subprocess
import sys

import vsr

CONFIG = """
routing: {modelCards: [{name: a}]}
providers: {defaults: {default_model: a}}
vsr: {cache: {snapshot: s.vsr}}
"""


class Gateway:
    def __init__(self, path):
        self.lines = []
        self.router = vsr.Router(path, log=self.on_log)

    def on_log(self, level, line):
        self.lines.append(line)


def use(path):
    gateway = Gateway(path)
    gateway.router.store(gateway.router.route("hello"), "world")
    return gateway


def test_a_router_that_logs_to_its_owner_is_collected(tmp_path):
    path = tmp_path / "r.yaml"
    path.write_text(CONFIG)
    for _ in range(3):
        gateway = use(path)
        gc.collect()
        assert gateway.router.metrics()
        del gateway
        gc.collect()
        assert (tmp_path / "s.vsr").exists()
        (tmp_path / "s.vsr").unlink()


def test_one_that_is_left_to_the_end_of_the_process_saves_its_cache(tmp_path):
    path = tmp_path / "r.yaml"
    path.write_text(CONFIG)
    script = f"import sys; sys.path.insert(0, {__file__.rsplit('/', 1)[0]!r}); import test_router_collected as t; t.use({str(path)!r})"
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
    assert (tmp_path / "s.vsr").exists()
