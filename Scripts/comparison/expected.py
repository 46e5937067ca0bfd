"""The rows that a reader of Python returns."""

from dataclasses import dataclass, field


@dataclass
class Expected:
    rows: list
    # The keys to compare; all if empty.
    only: list = field(default_factory=list)
    # The texts of each table; those of one are expected in place of rows.
    texts: list = field(default_factory=list)


def text_of(data):
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"),
                           (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            return data.decode(encoding)
    return data.decode("utf-8")
