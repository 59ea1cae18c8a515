"""Several inputs with equal and unequal schemas, in every format: refused together, or each value keeps its meaning.

Two or three files have the same columns, a narrower type, a column less, one more, or another order. Without `--unify` files whose
schema the first one does not read are refused, and nothing is written. With it each row has the values of its file, and null for a column that its file does not
have. `check`, `validate` and `schema` answer as `convert` does.
"""
import appends
import campaign
import columns
import every_option
from columns import EXTENSION, YT_LIKE

ROWS = 5
TRIPS = 150
FORMS = ["yson", "json", "skiff", "parquet", "arrow"]


class Plain:
    """A trip without options, for the comparison of values."""

    options, cast, source, target = {}, {}, "yson", "parquet"


def draw(rng, form, names, first):
    """Rows that every target holds."""
    rows = appends.draw(rng, form, names, first)
    for row in rows:
        for name in names:
            while not holds(name, row[name]):
                row[name] = columns.KINDS[name][1](rng)
        row["extra"] = 7
    return rows


def holds(name, value):
    return appends.holds("", name, value) and value != ("f", "nan") and not every_option.holds_bytes(value)


def one_file(rng, folder, form, names, number):
    """Writes a file with some change. Returns its name, its columns in their order, its narrow types, and its rows."""
    change = rng.choice(["", "", "narrower", "fewer", "more", "order"])
    rows, narrow = draw(rng, form, names, 100 * number), {}
    mine = ["id", *names]
    if change == "narrower" and form in YT_LIKE:
        narrow = {name: appends.WIDER[name] for name in names if name in appends.WIDER}
        for row in rows:
            row.update({name: appends.small(name, row[name]) for name in narrow})
    elif change == "fewer" and len(names) > 1:
        mine.pop()
    elif change == "more":
        mine.append("extra")
    elif change == "order":
        mine = rng.sample(mine, len(mine))
    name = f"{'abc'[number]}.{EXTENSION[form]}"
    appends.write(folder / name, form, mine, rows, narrow)
    return name, mine, narrow, rows


def go(rng, xwalk, folder):
    form, target = rng.choice(FORMS), rng.choice(FORMS)
    left = {"zoned", "blob", "levels", "exact", "way", "any"}
    names = rng.sample([name for name in columns.kinds_of(form) if name not in left], rng.randint(1, 3))
    if "n" not in names and rng.random() < 0.5:
        names.append("n")
    files = [one_file(rng, folder, form, names, number) for number in range(rng.choice([2, 2, 3]))]
    inputs = [name for name, *_ in files]
    unify = rng.random() < 0.6
    words = ["--from", form, *(["--unify"] if unify else [])]
    out = f"out.{EXTENSION[target]}"
    code, report, said = xwalk.told("check", *inputs, "--to", target, "--rows", *words)
    done_code, done, err = xwalk.told("convert", *inputs, out, "--to", target, *words, *rng.choice([[], ["--threads", 1], ["--batch-rows", 2]]))
    alike = all(reads(files[0], later) for later in files[1:])
    if not unify and not alike:
        if done_code != 3 or (folder / out).exists():
            campaign.broken("files of different schemas are refused", f"{form} to {target}: exit code {done_code}", err)
        if code == 0:
            campaign.broken("check says what convert does", f"{form} to {target}: check {code}, convert {done_code}", err)
        return "refused together"
    if code or done_code:
        campaign.broken("files are read together", f"{form} to {target}: check {code} {said}, convert {done_code} {err}")
    if report["rows"]["read"] != ROWS * len(files) or report["rows"]["refused"]:
        campaign.broken("check reads every row", report["rows"])
    if report["verdict"] != done["verdict"]:
        campaign.broken("check says what convert does", report["verdict"], done)
    for verb, place in ("validate", inputs), ("validate", [out]), ("schema", inputs):
        code, text, err = xwalk.run(verb, *place, *(words if place == inputs else ["--from", target]))
        if code:
            campaign.broken(f"{verb} takes what convert takes", place, text[:500], err)
    compare(form, target, files, columns.read(target, folder / out)[1])
    return "read with --unify" if unify else "read together"


def reads(first, later):
    """Whether the schema of the first file reads a later one: the same columns in any order, of the same or a narrower type."""
    return set(first[1]) == set(later[1]) and set(first[2]) <= set(later[2])


def compare(form, target, files, found):
    wanted = [(row, mine) for _, mine, _, rows in files for row in rows]
    if [row["id"] for row in found] != [row["id"] for row, _ in wanted]:
        campaign.broken("rows come in the order of their files", [row["id"] for row in found])
    for (row, mine), there in zip(wanted, found):
        for name, value in there.items():
            sent = row[name] if name in mine else None
            if not every_option.alike(Plain, name, sent, value):
                campaign.broken("values keep their meaning", f"{form} to {target}: row {row['id']}, {name}: {sent!r} became {value!r}")
