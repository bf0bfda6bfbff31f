"""Highlighted code keeps every character."""

from __future__ import annotations

import re

from symaux.show.reporting.highlight import highlight
from symaux.show.reporting.html import tag


def test_code_keeps_every_character() -> None:
    source = 'def f(x):\n    """<b>"""\n    return x < 1  # &\n'
    import html

    assert html.unescape(re.sub(r"<[^>]*>", "", highlight(source))) == source
    assert tag("a", title='"') == '<a title="&quot;"></a>'
