"""What compare.py found, as rows and as tables."""

import statistics

from competitor import LEAST_COSINE, REFERENCE

HEAD = ["tokens x texts", "", "min ms", "median ms", "times vsr's best", "times vsr, same type", "cosine"]


def cosine(a, b):
    return sum(x * y for x, y in zip(a, b)) / (sum(x * x for x in a) * sum(y * y for y in b)) ** 0.5


def least_cosine(one, reference, shape):
    """Of the vectors of all texts; None where there is nothing to compare."""
    if one is reference or not reference:
        return None
    own, expected = one.vectors.get(shape), reference.vectors.get(shape)
    return min(map(cosine, own, expected)) if own and expected else None


def rows_of(model, competitors, shapes):
    reference = next((one for one in competitors if one.name == REFERENCE), None)
    rows = []
    for shape in shapes:
        found = []
        for one in competitors:
            if shape not in one.times:
                continue
            alike = least_cosine(one, reference, shape)
            found.append({"model": model, "tokens": shape[0], "batch": shape[1], "competitor": one.name,
                          "dtype": one.dtype, "is_vsr": one.is_vsr, "min_ms": min(one.times[shape]),
                          "median_ms": statistics.median(one.times[shape]), "runs": len(one.times[shape]),
                          "cosine": alike, "other_work": alike is not None and not alike >= LEAST_COSINE[one.dtype]})  # fmt: skip
        rank(found)
        rows += found
    return rows


def rank(rows):
    """Adds how many times longer each takes than vsr; who does other work is not compared."""
    own = {row["dtype"]: row["min_ms"] for row in rows if row["is_vsr"] and not row["other_work"]}
    for row in rows:
        comparable = bool(own) and not row["other_work"]
        row["times_vsr"] = row["min_ms"] / min(own.values()) if comparable else None
        row["times_vsr_same_type"] = row["min_ms"] / own[row["dtype"]] if comparable and row["dtype"] in own else None


def line(cells):
    return "| " + " | ".join(cells) + " |"


def number(value, digits):
    return "" if value is None else f"{value:.{digits}f}"


def table(title, rows, skipped):
    lines = [f"### {title}", "", line(HEAD), "| ---: | --- | ---: | ---: | ---: | ---: | ---: |"]
    for row in rows:
        alike = number(row["cosine"], 5) + (" **other work**" if row["other_work"] else "")
        lines.append(line([f"{row['tokens']} x {row['batch']}", row["competitor"], number(row["min_ms"], 1),
                           number(row["median_ms"], 1), number(row["times_vsr"], 2),
                           number(row["times_vsr_same_type"], 2), alike]))  # fmt: skip
    reasons = [f"- {one['competitor']}{', %d tokens' % one['tokens'] if one['tokens'] else ''}: {one['why']}"
               for one in skipped]  # fmt: skip
    return "\n".join(lines + (["", "Not measured:", "", *reasons] if reasons else [])) + "\n"


def markdown(report):
    facts = report["machine"] | {key: report[key] for key in ("threads", "clock")}
    head = "".join(f"{key}: {value}  \n" for key, value in facts.items())
    models = dict.fromkeys(one["model"] for one in report["rows"] + report["skipped"])
    tables = [table(model, *([one for one in report[key] if one["model"] == model] for key in ("rows", "skipped")))
              for model in models]  # fmt: skip
    return "\n".join([head, *tables])
