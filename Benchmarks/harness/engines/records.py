"""Values as the text that they have."""

import json

DECODER = json.JSONDecoder(parse_int=str, parse_float=str)


def parsed(text):
    """A record whose numbers are the text they have."""
    return DECODER.decode(text)


def two(text):
    """The two JSON values of a text, one behind the other."""
    text = text.strip()
    first, end = DECODER.raw_decode(text)
    second, _ = DECODER.raw_decode(text[end:].strip())
    return first, second
