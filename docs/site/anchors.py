"""Anchors of headings as GitHub makes them, so that links lead to the same headings on the site."""

import re


def slugify(text: str, separator: str) -> str:
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", separator)
