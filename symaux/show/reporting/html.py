"""Write HTML elements as text: content is HTML already, attributes are escaped here."""

from __future__ import annotations

import html

VOID = ("input", "meta")


def tag(kind: str, /, *inner: str, **attributes: str | bool) -> str:
    """Return an element; ``class_`` is its class, and other underscores are hyphens.

    >>> tag("p", "a", "b", class_='<"x">', aria_hidden="true", hidden=True)
    '<p class="&lt;&quot;x&quot;&gt;" aria-hidden="true" hidden>ab</p>'
    """
    listed = "".join(_attribute(key, value) for key, value in attributes.items() if value is not False)
    return f"<{kind}{listed}>" + ("" if kind in VOID else f"{''.join(inner)}</{kind}>")


def _attribute(key: str, value: str | bool) -> str:
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{html.escape(str(value))}"'


def text(words: object) -> str:
    """Return text as HTML; a character that cannot be printed becomes a replacement character."""
    return html.escape("".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in str(words)))


def figure(picture: str, *caption: str) -> str:
    """Return a picture with a caption below it."""
    return tag("figure", picture, tag("figcaption", *caption))
