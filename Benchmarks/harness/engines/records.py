"""Records whose values keep their text."""

import json

DECODER = json.JSONDecoder(parse_int=str, parse_float=str)


def parsed(text):
    """A record whose numbers keep their text."""
    return DECODER.decode(text)


def two(text):
    """The two consecutive JSON values of a string."""
    text = text.strip()
    first, end = DECODER.raw_decode(text)
    second, _ = DECODER.raw_decode(text[end:].strip())
    return first, second
