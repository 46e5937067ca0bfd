"""What is measured: a file, a sort, a section key, and one object to look at."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Sort:
    column: str
    descending: bool = False
    # Whether values compare as numbers.
    numeric: bool = False


@dataclass(frozen=True)
class Work:
    name: str
    file: str
    key: str
    sorts: tuple
    # Whether sections are cut by the first character of the key.
    by_first_character: bool = False
    # The word that stands for null in the file.
    null: str = ""
    # Section and row of the object that is looked at, both from 0.
    pick: tuple = (3, 100)

    @property
    def is_json(self):
        return self.file.endswith(".ndjson")

    def title(self, value):
        """The section title for a value of the key. The data has no combining marks, so that a
        scalar is a character."""
        return value[:1] if self.by_first_character else value


FLIGHTS = ("carrier", (Sort("carrier"), Sort("dep_delay", descending=True, numeric=True)))

WORKS = [
    Work("flights", "flights.csv", *FLIGHTS, null="NA"),
    Work("people", "people.csv", "last_name", (Sort("last_name"), Sort("first_name")),
         by_first_character=True),
    Work("distinct", "distinct.csv", "name", (Sort("name"),), by_first_character=True),
    Work("flights-ndjson", "flights.ndjson", *FLIGHTS),
]
