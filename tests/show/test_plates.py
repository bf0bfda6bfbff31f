"""Plates in pictures: who is inside, and where borders lie."""

from __future__ import annotations

from support.pictures import SVG, crossed, nodes, panels, place, rectangle, schools, series, three_plates

from symaux.formulas.symbols.indices import arrays, plate
from symaux.laws.families import normal
from symaux.model.model import Model
from symaux.show.drawing.diagram import diagram
from symaux.show.drawing.render import render


def test_plates_hold_their_members_and_nobody_else() -> None:
    for model in (schools().before, schools().after, crossed(), three_plates(), series()):
        (panel,) = panels(render(model))
        shown = diagram(model)
        for name in shown.plates:
            left, top, right, bottom = rectangle(panel, name)
            inside = {n for n, g in nodes(panel).items() if left < place(g)[0] < right and top < place(g)[1] < bottom}
            assert inside == {n for n, v in shown.vertices.items() if name in v.plates}, name


def test_overlapping_plates_overlap_truly() -> None:
    (panel,) = panels(render(crossed()))
    a, b = rectangle(panel, "i"), rectangle(panel, "j")
    x, y = place(nodes(panel)["r"])
    assert all(box[0] < x < box[2] and box[1] < y < box[3] for box in (a, b))
    texts = [t.text for t in panel.iter(f"{SVG}text") if t.get("class") == "plate-label"]
    assert sorted(map(str, texts)) == ["i = 0..19", "j"]


def test_borders_of_plates_do_not_coincide() -> None:
    n, t = plate("n", 3), plate("t", 4)
    z = arrays("z")
    (panel,) = panels(render(Model.of(normal(z[n, t], 0, 1))))
    assert all(abs(p - q) > 4 for p, q in zip(rectangle(panel, "n"), rectangle(panel, "t"), strict=True))
