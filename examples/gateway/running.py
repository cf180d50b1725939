"""A gateway and the scripted model server behind it, running for as long as a `with` lasts."""

import contextlib
import pathlib
import re
import socket
import subprocess
import tempfile
import time
import types
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
BIN = HERE.parents[1] / "build" / "bin"
START_SECONDS = 120  # loading models on a busy machine


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_until_ready(url, process, log):
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(f"the gateway ended:\n{log.read_text(encoding='utf-8')}")
        try:
            urllib.request.urlopen(url + "/readyz", timeout=1).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.05)
    raise RuntimeError("the gateway does not become ready")


def end(process):
    process.terminate()
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def place_files(folder, scripted, port):
    """The example's files, with paths and addresses for here and now."""
    for name in ("router.yaml", "gateway.yaml", "engine.yaml", "keys.yaml", "facts.txt"):
        text = (HERE / name).read_text(encoding="utf-8")
        text = text.replace("127.0.0.1:8001", scripted).replace("127.0.0.1:8080", f"127.0.0.1:{port}")
        text = re.sub(r"path: \.\./\.\./", f"path: {HERE.parents[1]}/", text)
        (folder / name).write_text(text, encoding="utf-8")


@contextlib.contextmanager
def running():
    """Gives `url`, `folder` (the files that it reads), `log` and `asked` (what the model server prints)."""
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        log, asked = folder / "gateway.log", folder / "asked.log"
        out = stack.enter_context(asked.open("wb"))
        scripted = subprocess.Popen([BIN / "scripted"], stdout=out, stderr=subprocess.DEVNULL)
        stack.callback(end, scripted)
        while not asked.read_text(encoding="utf-8").endswith("\n"):
            if scripted.poll() is not None:
                raise RuntimeError("the scripted model server ended")
            time.sleep(0.02)
        port = free_port()
        place_files(folder, asked.read_text(encoding="utf-8").strip(), port)
        err = stack.enter_context(log.open("wb"))
        gateway = subprocess.Popen([BIN / "gateway", "-config", folder / "gateway.yaml"], stderr=err)
        stack.callback(end, gateway)
        url = f"http://127.0.0.1:{port}"
        wait_until_ready(url, gateway, log)
        yield types.SimpleNamespace(url=url, folder=folder, log=log, asked=asked, process=gateway)
