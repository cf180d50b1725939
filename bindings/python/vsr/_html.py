"""How results look in notebooks. Whatever comes from a text or a label is escaped."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

# Light and dark enough for black text in both themes.
_COLOURS = ("#ffd8a8", "#b2f2bb", "#a5d8ff", "#eebefa", "#ffec99", "#99e9f2", "#ffc9c9", "#d8f5a2")


def escape(value: object) -> str:
    return html.escape(str(value))


def as_str(text: str | bytes) -> str:
    """A text as it can be shown: bytes that are no UTF-8 and lone surrogates become U+FFFD."""
    if isinstance(text, bytes):
        return text.decode("utf-8", "replace")
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    head = "".join(f"<th style='text-align:left'>{escape(heading)}</th>" for heading in headings)
    body = "".join(
        "<tr>" + "".join(f"<td style='text-align:left'>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def bars(probs: Iterable[tuple[str, float]]) -> str:
    """Labels with their probabilities as bars."""
    rows = "".join(
        f"<tr><td style='text-align:left'>{escape(label)}</td><td style='text-align:left'>{p:.3f}</td>"
        f"<td style='text-align:left;width:12em'><div style='background:#4dabf7;height:.8em;width:{100 * p:.1f}%'>"
        "</div></td></tr>"
        for label, p in probs
    )
    return f"<table><tbody>{rows}</tbody></table>"


def marked(text: str | bytes, spans: Iterable[tuple[int, int, str, float]]) -> str:
    """The text with its spans (start, end, label, score) marked; spans that overlap an earlier one are left out."""
    parts, at, colours = [], 0, {}
    for start, end, label, score in spans:
        if start < at:
            continue
        colour = colours.setdefault(label, _COLOURS[len(colours) % len(_COLOURS)])
        parts.append(escape(as_str(text[at:start])))
        parts.append(
            f"<mark style='background:{colour};color:#000;border-radius:.3em;padding:0 .2em' title='{score:.3f}'>"
            f"{escape(as_str(text[start:end]))}<sub style='opacity:.7;margin-left:.3em'>{escape(label)}</sub></mark>"
        )
        at = end
    parts.append(escape(as_str(text[at:])))
    return f"<div style='white-space:pre-wrap'>{''.join(parts)}</div>"
