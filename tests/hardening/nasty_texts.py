"""Texts and requests that cost a careless program most, by name and size."""

import json


def _filled(unit, size):
    return (unit * (size // len(unit) + 1))[:size]


def texts(size):
    """Name to bytes: plain texts of about so many bytes."""
    prose = b"The committee met on Tuesday and, after some debate, voted 7 to 3 for it. "
    clean = _filled(prose, size)
    return {
        "prose": clean,
        "full stops": _filled(b". ", size),
        "dots": _filled(b".", size),
        "one letter": _filled(b"a", size),
        "letters": _filled(b"a ", size),
        "spaces": _filled(b" ", size),
        "emoji": _filled("\U0001F600".encode(), size // 4 * 4),
        "chinese": _filled("你好世界".encode(), size // 12 * 12),
        "digits": _filled(b"1 ", size),
        "lines": _filled(b"a\n", size),
        "bad byte first": b"\xff" + clean[1:],
        "bad byte in the middle": clean[: size // 2] + b"\xff" + clean[size // 2 + 1 :],
        "bad byte last": clean[:-1] + b"\xff",
        "bad bytes": _filled(b"\xff", size),
    }


def chat(content):
    """A chat of one user message; bytes that are no UTF-8 stay so."""
    return b'{"model":"auto","messages":[{"role":"user","content":' + content + b"}]}"


def requests(size):
    """Name to bytes: bodies of about so many bytes, some of which a router refuses."""
    bodies = {}
    for name, text in texts(size).items():
        quoted = b'"' + text.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n") + b'"'
        bodies[name] = chat(quoted)
        bodies[f"plain, {name}"] = text
    bodies["escapes"] = chat(b'"' + _filled(b"\\n", size // 2 * 2) + b'"')
    part = b'{"type":"text","text":"a"},'
    bodies["tiny parts"] = chat(b"[" + (part * (size // len(part)))[:-1] + b"]")
    message = b'{"role":"user","content":"ab cd"},'
    bodies["messages"] = b'{"model":"auto","messages":[' + (message * (size // len(message)))[:-1] + b"]}"
    hello = json.dumps([{"role": "user", "content": "hello"}]).encode()
    bodies["wide array"] = b'{"messages":' + hello + b',"x":[' + (b"1," * (size // 2))[:-1] + b"]}"
    bodies["nested arrays"] = b'{"messages":' + hello + b',"x":[' + (b"[[[]]]," * (size // 7))[:-1] + b"]}"
    fields = b",".join(b'"k%d":1' % i for i in range(size // 12))
    bodies["wide object"] = b'{"messages":' + hello + b',"metadata":{' + fields + b"}}"
    bodies["not JSON"] = chat(b'"' + _filled(b"a", size) + b'" nonsense')
    return bodies
