"""Equality of a value that dsshell read and one that Python read."""

import base64
import datetime
import math
import re
from decimal import Decimal, InvalidOperation


class Number(str):
    """A number as it is written."""


class MarkupText(str):
    """The text of an element."""


class MarkupRecord(dict):
    """The attributes and the children of an element."""


_WRITTEN = re.compile(r"[-+]?(0[xob][0-9a-fA-F_]+|[0-9_]*\.?[0-9_]*([eE][-+]?[0-9]+)?)")


def decimal(text):
    """The number that a text denotes in some notation; None for other texts."""
    text = text.strip()
    if not _WRITTEN.fullmatch(text):
        return None
    try:
        if text.lstrip("+-")[:2].lower() in ("0x", "0o", "0b"):
            return Decimal(int(text, 0))
        return Decimal(text.replace("_", ""))
    except (InvalidOperation, ValueError):
        return None


def equal(shell, python):
    """Whether two values are equal; texts of Python may denote other types."""
    if isinstance(python, (MarkupText, MarkupRecord)):
        shell = _alone(shell, python)
    if isinstance(shell, list) and isinstance(python, str):
        # The values of a repeated key of an INI file.
        return "\n".join(map(str, shell)) == python
    if isinstance(python, dict):
        return isinstance(shell, dict) and not differing_keys(shell, python)
    if isinstance(python, (list, tuple)):
        return (isinstance(shell, list) and len(shell) == len(python)
                and all(map(equal, shell, python)))
    if python is None or python == "":
        return shell is None or shell == ""
    if isinstance(python, bool):
        return shell is python
    if isinstance(python, (bytes, bytearray)):
        return shell == base64.b64encode(python).decode()
    if isinstance(python, (datetime.datetime, datetime.date, datetime.time)):
        # plistlib returns times without their zone, which is always GMT.
        if not isinstance(shell, str):
            return False
        # A sheet shows a date alone where openpyxl returns midnight.
        texts = {_date(python.isoformat()), python.isoformat().removesuffix("T00:00:00")}
        return not texts.isdisjoint({_date(shell), _date(shell.removesuffix("Z"))})
    if isinstance(python, (int, float, Decimal)) and not isinstance(python, Number):
        return _equal_number(shell, python)
    return _equal_text(shell, str(python))


def _alone(shell, python):
    """An element as Python reads it alone. dsshell reads elements of one name alike in all rows: in
    an array if a row repeats the element, and as records if one of them is a record."""
    if isinstance(shell, list) and len(shell) == 1:
        shell = shell[0]
    if isinstance(python, MarkupText) and isinstance(shell, dict) and set(shell) == {"text"}:
        shell = shell["text"]
    return shell


def _equal_number(shell, python):
    if isinstance(python, float) and not math.isfinite(python):
        return isinstance(shell, str) and shell.lower().lstrip("+").startswith(
            str(python)[:3] if python == python else "nan")
    if not isinstance(shell, Number):
        return False
    if isinstance(python, float):
        return float(shell) == python
    return Decimal(shell) == python


def _equal_text(shell, text):
    if text.lower().lstrip("+-") in ("inf", "nan") and isinstance(shell, str):
        return shell.lower().replace("infinity", "inf").lstrip("+-") == text.lower().lstrip("+-")
    if isinstance(shell, Number):
        number = decimal(text)
        return number is not None and Decimal(shell) == number
    if isinstance(shell, bool):
        return text.strip().lower() == str(shell).lower()
    if shell is None:
        return text.strip() == "" or text.strip() in ("null", "Null", "NULL", "~")
    if not isinstance(shell, str):
        return False
    return shell == text or _date(shell) == _date(text) or shell == text.strip()


_TIME = re.compile(r"(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?(.*))?")


def _date(text):
    """The parts of a date, so that different spellings are equal; other texts as they are."""
    match = _TIME.fullmatch(text)
    if not match or match[2] is None:
        return text
    day, minute, second, fraction, zone = match.groups()
    zone = "+00:00" if zone in ("Z", "z") else zone
    return day, minute, int(second or 0), (fraction or "").rstrip("0"), zone


def differing_keys(shell, python):
    """The keys of two records whose values differ."""
    keys = list(python) + [key for key in shell if key not in python]
    return [key for key in keys
            if not equal(shell.get(key), python.get(key))]
