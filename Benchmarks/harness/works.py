"""What is measured: a file, a sort, a section key, and one object to look at."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Sort:
    column: str
    descending: bool = False
    # Whether values compare as numbers.
    numeric: bool = False


LETTERS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
# The title of what is under no letter.
OTHER = "#"


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
    # How rows become sections: neighbours alike ("runs"), all that are alike ("groups", in the
    # order in which they first come), or under A to Z, the rest under # ("fixed").
    mode: str = "runs"
    # Section and row of the object that is looked at, both from 0.
    pick: tuple = (3, 100)

    @property
    def is_json(self):
        return self.file.endswith("json")

    @property
    def is_array(self):
        """Whether the file is one JSON array, and not a record a line."""
        return self.file.endswith(".json")

    def title(self, value):
        """The section title for a value of the key. The data has no combining marks, so that a
        scalar is a character."""
        title = value[:1] if self.by_first_character else value
        return title if self.mode != "fixed" or title in LETTERS else OTHER

    @property
    def told(self):
        """The columns by which a peer's object is known: its sort keys, or where rows stay in the
        order of the file, its number."""
        return tuple(sort.column for sort in self.sorts) or ("id",)


@dataclass(frozen=True)
class Description:
    """All columns of a file are read and looked at, for `describe`; peers only load them."""

    name: str
    file: str


FLIGHTS = ("carrier", (Sort("carrier"), Sort("dep_delay", descending=True, numeric=True)))

WORKS = [
    Work("flights", "flights.csv", *FLIGHTS, null="NA"),
    Work("people", "people.csv", "last_name", (Sort("last_name"), Sort("first_name")),
         by_first_character=True),
    Work("distinct", "distinct.csv", "name", (Sort("name"),), by_first_character=True),
    Work("groups", "people.csv", "city", (), mode="groups"),
    Work("fixed", "people.csv", "last_name", (), by_first_character=True, mode="fixed"),
    Work("people-ndjson", "people.ndjson", "last_name", (Sort("last_name"), Sort("first_name")),
         by_first_character=True),
    Description("describe", "people.csv"),
    Work("mixed", "flights.csv", "carrier",
         (Sort("carrier"), Sort("distance", descending=True, numeric=True), Sort("time_hour")),
         null="NA"),
    Work("flights-ndjson", "flights.ndjson", *FLIGHTS),
    Work("flights-array", "flights.json", *FLIGHTS),
    Work("flights-pretty", "flights-pretty.json", *FLIGHTS),
]
