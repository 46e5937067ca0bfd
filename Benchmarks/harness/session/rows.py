"""The rows of the answers of dsshell, in the form in which DuckDB returns them.

Each function receives the answers of all commands of a question.
"""


def value(answers):
    """The row of a single value."""
    return [[answers[-1]]]


def objects(answers):
    return [list(record.values()) for record in answers[-1]]


def identity(answers):
    return [[answers[-1]["id"]]]


def sort_keys(answers):
    return [[answers[-1]["last_name"], answers[-1]["amount"]]]


def sections(answers):
    """A row for each section: its title, its size and its operators."""
    return [[value for key, value in section.items() if key not in ("section", "indexTitle")]
            for section in answers[-1]]


def totals(answers):
    """The operators of a source of one section, without its title."""
    return [row[1:] for row in sections(answers)]


def sizes(answers):
    """The numbers of sections and objects that a fetch reports."""
    return [[answers[-1]["sections"], answers[-1]["objects"]]]


def first_and_size(answers):
    """The first object of a section, and the size of the section."""
    return [[answers[0]["id"], answers[1]]]


def bounds(answers):
    return [[row["key"], row["least"], row["greatest"]] for row in answers[-1]]


def nulls_and_distinct(answers):
    return sorted([row["key"], row["nulls"], row["distinct"]] for row in answers[-1])


def row_in_section(answers):
    return [[answers[-1][1]]]


def explained(answers):
    """The id of an object, and the id that follows from its row in the file."""
    return [[answers[-1]["object"]["id"], answers[-1]["below"][-1]["path"][1] + 1]]


def fetched_objects(answers):
    return [[answers[-1]["objects"]]]


def changes(answers):
    return [[change["change"], change["from"][1], change["to"][1]] for change in answers[-1]]


def distinct_without_null(answers):
    """Null counts among the distinct objects, but not in `count(DISTINCT …)`."""
    return [[answers[-1] - 1]]
