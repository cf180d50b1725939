"""Texts and requests that cost a careless program most, by name and size: functions that make them."""

import json


def _filled(unit, size):
    return (unit * (size // len(unit) + 1))[:size]


def _bad_byte_at(at, size):
    text = _filled(b"The committee met on Tuesday and, after some debate, voted 7 to 3 for it. ", size)
    return text if at is None else text[:at] + b"\xff" + text[at + 1 :]


def texts(size):
    """Name to a function that gives plain text of about `size` bytes."""
    units = {
        "full stops": b". ",
        "dots": b".",
        "one letter": b"a",
        "letters": b"a ",
        "spaces": b" ",
        "digits": b"1 ",
        "lines": b"a\n",
        "emoji": "\U0001f600".encode(),
        "chinese": "你好世界".encode(),
        "addresses": b"a@b.cc ",
        "bad bytes": b"\xff",
    }
    made = {name: lambda unit=unit: _filled(unit, size // len(unit) * len(unit)) for name, unit in units.items()}
    places = {"prose": None, "bad byte first": 0, "bad byte in the middle": size // 2, "bad byte last": size - 1}
    return made | {name: lambda at=at: _bad_byte_at(at, size) for name, at in places.items()}


def chat(content):
    """A chat of one user message; bytes that are no UTF-8 stay so."""
    return b'{"model":"auto","messages":[{"role":"user","content":' + content + b"}]}"


def _quoted(text):
    return b'"' + text.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n") + b'"'


def _list(item, size):
    return b"[" + (item * (size // len(item)))[:-1] + b"]"


def _beside(member):
    return b'{"messages":' + json.dumps([{"role": "user", "content": "hello"}]).encode() + b"," + member + b"}"


def requests(size):
    """Name to a function that gives a body of about `size` bytes, some of which a router refuses."""
    plain = texts(size)
    fields = lambda: b'"metadata":{' + b",".join(b'"k%d":1' % i for i in range(size // 12)) + b"}"
    return (
        {name: lambda text=text: chat(_quoted(text())) for name, text in plain.items()}
        | {f"plain, {name}": text for name, text in plain.items()}
        | {
            "escapes": lambda: chat(b'"' + _filled(b"\\n", size // 2 * 2) + b'"'),
            "tiny parts": lambda: chat(_list(b'{"type":"text","text":"a"},', size)),
            "tiny strings": lambda: chat(_list(b'"a",', size)),
            "messages": lambda: b'{"messages":' + _list(b'{"role":"user","content":"ab cd"},', size) + b"}",
            "wide array": lambda: _beside(b'"x":' + _list(b"1,", size)),
            "nested arrays": lambda: _beside(b'"x":' + _list(b"[[[]]],", size)),
            "wide object": lambda: _beside(fields()),
            "not JSON": lambda: chat(b'"' + _filled(b"a", size) + b'" nonsense'),
        }
    )
