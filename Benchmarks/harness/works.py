"""The measured tasks: a file, a sort, a section key and the object to return."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Sort:
    column: str
    descending: bool = False
    # Whether values compare as numbers.
    numeric: bool = False


LETTERS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
# Title of the section for keys that do not begin with a letter.
OTHER = "#"


@dataclass(frozen=True)
class Work:
    name: str
    file: str
    key: str
    sorts: tuple
    # Whether the first character of the key is the section key.
    by_first_character: bool = False
    # The word for null in the file.
    null: str = ""
    # Section mode: adjacent equal keys ("runs"), all equal keys in order of first appearance
    # ("groups"), or A to Z and # for the rest ("fixed").
    mode: str = "runs"
    # Section and row of the requested object, both from 0.
    pick: tuple = (3, 100)

    @property
    def is_json(self):
        return self.file.endswith("json")

    @property
    def is_array(self):
        """Whether the file is one JSON array rather than one record per line."""
        return self.file.endswith(".json")

    def title(self, value):
        """The section title for a value of the key. The data has no combining marks, so each scalar
        is a character."""
        title = value[:1] if self.by_first_character else value
        return title if self.mode != "fixed" or title in LETTERS else OTHER

    @property
    def identifying(self):
        """The columns that identify the object of a peer: its sort keys, or its id if rows keep the
        order of the file."""
        return tuple(sort.column for sort in self.sorts) or ("id",)


@dataclass(frozen=True)
class Description:
    """`describe` reads and analyzes all columns of a file; the peers only load them."""

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
    Work("people-gz", "people.csv.gz", "last_name", (Sort("last_name"), Sort("first_name")),
         by_first_character=True),
    Work("mixed", "flights.csv", "carrier",
         (Sort("carrier"), Sort("distance", descending=True, numeric=True), Sort("time_hour")),
         null="NA"),
    Work("flights-ndjson", "flights.ndjson", *FLIGHTS),
    Work("flights-array", "flights.json", *FLIGHTS),
    Work("flights-pretty", "flights-pretty.json", *FLIGHTS),
]
