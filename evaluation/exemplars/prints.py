"""Printed and sewn things at random: books, notebooks, magazines and newspapers here; laptops and cutting boards in ``prints_boards``, towels and
pillows in ``prints_cloth``, toys in ``prints_toys``.

What makes a book a book across all makes is its shape and the *kind* of print on it; the print itself is endless. So the designs here fix the
first and draw the second: every exemplar carries its own picture and title. Things lie flat; what is printed reads from the +x or -y side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from evaluation.exemplars import prints_boards, prints_cloth, prints_toys
from evaluation.exemplars.prints_parts import (FONTS, MASTHEADS, PAPERS, WORDS, any_colour, chance, cloth, colour, contrast_to, draped, lying, metal,
                                               paint, pick, picture, printed, prism, profile, repeated, rod, round_rect, shade, spun, text_lines,
                                               title)
from sim_bridges.embedded.meshes import Soup, from_triangles, join, scaling, transformed, translation
from sim_bridges.embedded.primitives import box, skin_of_rings
from sim_bridges.embedded.textures import RGB, Material, Texture, of

Maker = Callable[[np.random.Generator], Soup]
PAPER = ((240, 234, 218), (248, 246, 240), (228, 214, 184), (236, 228, 206))


def _ground(rng: np.random.Generator) -> RGB:
    return any_colour(rng) if chance(rng, 0.7) else colour(
        rng, pick(rng, (30, 30, 34), (238, 236, 230), (120, 30, 34), (24, 44, 84), (34, 70, 50), (94, 62, 40)))


def _cover(rng: np.random.Generator, ground: RGB) -> np.ndarray:
    """The front of a book, 88×120."""
    w, h = 88, 120
    image = np.full((h, w, 3), ground, np.uint8)
    ink, style = contrast_to(rng, ground), int(rng.integers(6))
    if style == 0:  # a picture with the title over a band
        image[:] = picture(rng, w, h)
        y = int(rng.uniform(0.08, 0.7) * h)
        image[y:y + 30] = ground
        title(image, pick(rng, *WORDS), (8, y + 5, w - 8, y + 24), ink, pick(rng, *FONTS[:4]), 2)
    elif style == 1:  # a framed picture under the title
        y = int(rng.uniform(0.3, 0.45) * h)
        image[y:h - 12, 10:w - 10] = picture(rng, w - 20, h - 12 - y)
        title(image, pick(rng, *WORDS), (8, 10, w - 8, y - 8), ink, pick(rng, *FONTS), 2)
    elif style == 2:  # cloth with a blocked title
        title(image, pick(rng, *WORDS), (14, 24, w - 14, 44), ink, pick(rng, *FONTS[2:]), 1)
        image[[8, h - 9], 8:w - 8] = ink
        image[8:h - 8, [8, w - 9]] = ink
    elif style == 3:  # two colours
        image[int(rng.uniform(0.4, 0.7) * h):] = any_colour(rng)
        title(image, pick(rng, *WORDS), (6, 10, w - 6, 40), ink, pick(rng, *FONTS[:4]), 3)
        title(image, pick(rng, *WORDS), (20, h - 18, w - 20, h - 8), ink)
    elif style == 4:  # big letters over the whole
        words = [pick(rng, *WORDS).split()[-1] for _ in range(3)]
        for i, word in enumerate(words):
            title(image, word, (6, 8 + 34 * i, w - 6, 34 + 34 * i), ink, FONTS[int(rng.integers(2))], 3)
    else:  # a pattern with a label
        image[:] = np.concatenate([cloth(rng, ground, print_share=0.9)] * 2)[:h, :w]
        image[30:64, 18:w - 18] = (244, 240, 230)
        title(image, pick(rng, *WORDS), (22, 38, w - 22, 48), (30, 30, 34))
        text_lines(image, rng, (28, 53, w - 28, 60), (120, 120, 120))
    return image


def _edges(rng: np.random.Generator, tint: RGB | None = None) -> Material:
    """The cut edge of a pile of pages."""
    base = np.array(tint or pick(rng, *PAPER), float)
    rows = base * rng.uniform(0.72, 1.03, (24, 1, 1))
    return of(Texture(np.repeat(np.clip(rows, 0, 255), 4, axis=1).astype(np.uint8)))


def _page(rng: np.random.Generator, w: int, h: int, paper: RGB) -> np.ndarray:
    """A page of a book: text, with a heading or a picture now and then."""
    image, top = np.full((h, w, 3), paper, np.uint8), 9
    if chance(rng, 0.4):
        top = int(rng.uniform(0.25, 0.75) * h)
        image[7:top - 4, 7:w - 7] = picture(rng, w - 14, top - 11)
    elif chance(rng, 0.4):
        title(image, pick(rng, *WORDS), (14, 10, w - 14, 20), (40, 40, 44))
        top = 28
    text_lines(image, rng, (8, top, w - 8, h - 9), pick(rng, (110, 108, 104), (140, 136, 130)), pick(rng, 3, 4))
    return image


def _closed_book(rng: np.random.Generator, width: float, height: float, thick: float, hard: bool, bulge: float) -> Soup:
    """Spine on -y, cover up; ``hard`` boards stand out over the pages."""
    ground = _ground(rng)
    gloss = pick(rng, 0.0, 0.1, 0.3)
    front, plain_cover = of(Texture(_cover(rng, ground)), gloss=gloss), paint(ground, gloss)
    board, over = (0.0028, 0.004) if hard else (0.0008, 0.0005)
    x, y = height / 2, width / 2
    pages = box((-x + over, -y, board), (x - over, y - over, thick - board), _edges(rng, (196, 160, 80) if chance(rng, 0.06) else None))
    text = np.full((28, 128, 3), ground, np.uint8)
    title(text, pick(rng, *WORDS), (24, 8, 104, 20), contrast_to(rng, ground), pick(rng, *FONTS[:4]), 2)
    if chance(rng, 0.5):
        text[:, [6, 8, 120, 122]] = contrast_to(rng, ground)
    a = np.radians(np.linspace(90, 270, 9))
    arc = np.stack([-y - bulge * thick * np.abs(np.cos(a)), thick / 2 * (1 + np.sin(a))], 1)
    rings = np.stack([np.concatenate([np.full((9, 1), end), arc], 1) for end in (-x, x)])
    spine = skin_of_rings(rings, of(Texture(np.rot90(text).copy()), gloss=gloss), closed=False, uv=True)
    caps = [
        from_triangles(np.stack([[ring[4] * [1, 0, 0] + [0, -y + 0.001, thick / 2], ring[i], ring[i + 1]][::step] for i in range(8)]), plain_cover)
        for ring, step in ((rings[0], -1), (rings[1], 1))
    ]
    return join(
        [pages,
         printed((-x, -y, thick - board), (x, y, thick), plain_cover, front),
         box((-x, -y, 0), (x, y, board), plain_cover), spine, *caps])


def _one_book(rng: np.random.Generator, thick: float | None = None) -> Soup:
    hard = chance(rng, 0.5)
    return _closed_book(rng, rng.uniform(0.13, 0.18), 0.22, thick or rng.uniform(0.018, 0.035), hard,
                        rng.uniform(0, 0.3) if hard else rng.uniform(0, 0.05))


def _book_pile(rng: np.random.Generator) -> Soup:
    low, high = rng.uniform(0.012, 0.02), rng.uniform(0.01, 0.018)
    upper = spun(_one_book(rng, high), rng.normal(0, 0.15) + pick(rng, 0, 0, np.pi), rng.normal(0, 0.006), rng.normal(0, 0.006), low)
    return join([_one_book(rng, low), transformed(upper, translation(0, 0, low) @ scaling(*[rng.uniform(0.75, 1)] * 2, 1) @ translation(0, 0, -low))])


def _open_book(rng: np.random.Generator) -> Soup:
    """Two arched halves with text, spine along y."""
    paper = colour(rng, pick(rng, *PAPER), 6)
    spread = np.concatenate([_page(rng, 64, 92, paper), _page(rng, 64, 92, paper)], axis=1).astype(float)
    spread *= 1 - 0.35 * np.exp(-np.abs(np.arange(128) - 63.5) / 4)[None, :, None]
    s = np.array([0, 0.06, 0.15, 0.3, 0.5, 0.75, 1.0])
    rise = np.array([0.35, 0.7, 0.93, 1.0, 0.92, rng.uniform(0.7, 0.85), rng.uniform(0.45, 0.7)])
    left = rng.uniform(0.35, 1.0)
    tops = np.concatenate([(rise * left + 0.12)[::-1], (rise * (1.35 - left) + 0.12)[1:]]) * 0.024
    xs = np.concatenate([-s[::-1], s[1:]]) * 0.11
    cover = paint(_ground(rng), 0.1)
    return join([
        draped(xs, tops, 0.002, -0.08, 0.08, of(Texture(spread.astype(np.uint8))), _edges(rng)),
        box((-0.114, -0.083, 0), (0.114, 0.083, 0.0025), cover)
    ])


def _book_face_down(rng: np.random.Generator) -> Soup:
    ground = _ground(rng)
    cover = np.concatenate([np.full((120, 56, 3), ground, np.uint8),
                            np.full((120, 8, 3), shade(ground, 0.8), np.uint8),
                            _cover(rng, ground)[:, ::2]],
                           axis=1)
    text_lines(cover, rng, (10, 30, 46, 90), contrast_to(rng, ground), 5)
    lift = rng.uniform(0.2, 0.5)
    tops = np.array([lift, 0.55 + lift / 3, 0.9, 1, 1, 0.9, 0.55 + lift / 3, lift]) * 0.03
    return draped(
        np.array([-1, -0.55, -0.12, -0.05, 0.05, 0.12, 0.55, 1]) * 0.11, tops, np.maximum(0, tops - rng.uniform(0.006, 0.012)), -0.08, 0.08,
        of(Texture(cover), gloss=0.1), _edges(rng))


def book(rng: np.random.Generator) -> Soup:
    return pick(rng, _one_book, _one_book, _one_book, _one_book, _book_pile, _open_book, _open_book, _book_face_down)(rng)


def _ruled(rng: np.random.Generator, w: int, h: int, paper: RGB | None = None, written: float = 0.6) -> np.ndarray:
    """A page of lined, squared or dotted paper, perhaps written on."""
    image = np.full((h, w, 3), paper or pick(rng, (250, 249, 244), (244, 238, 220), (252, 252, 252)), np.uint8)
    pitch, ink, kind = int(rng.integers(5, 8)), pick(rng, (168, 190, 222), (190, 190, 190), (150, 200, 190)), int(rng.integers(3))
    image[10::pitch] = ink
    if kind == 1:
        image[:, 4::pitch] = ink
    elif kind == 2 and chance(rng, 0.7):
        image[:, int(0.16 * w)] = (226, 130, 130)
    if chance(rng, written):
        text_lines(image, rng, (10, 10 + pitch - 2, w - 6, int(rng.uniform(0.3, 0.9) * h)), pick(rng, (40, 60, 140), (50, 50, 54)), pitch, 0.5)
    return image


def _notebook_cover(rng: np.random.Generator, ground: RGB) -> np.ndarray:
    image = np.full((120, 86, 3), ground, np.uint8)
    kind = int(rng.integers(6))
    if kind == 1:
        image[:] = np.concatenate([cloth(rng, ground, print_share=1.0)] * 2)[:120, :86]
    elif kind == 2:  # marbled, as composition books are
        image[:] = (25, 25, 28)
        image[rng.random((120, 86)) < 0.35] = (240, 240, 240)
    elif kind == 3:
        title(image, pick(rng, "NOTES", "ideas", "NOTEBOOK", "Journal", "2024", "Diary"), (18, 40, 68, 60), contrast_to(rng, ground),
              pick(rng, *FONTS), 2)
    elif kind == 4:
        image[0:int(rng.uniform(20, 60))] = any_colour(rng)
        image[70:76, 10:76] = contrast_to(rng, ground)
    if kind in (2, 5) or chance(rng, 0.25):
        image[22:54, 16:70] = (250, 250, 246)
        image[[30, 38, 46], 22:64] = (120, 130, 150)
    return image


def _coil(rng: np.random.Generator, count: int, length: float, thick: float, gap_from_end: float = 0.012) -> Soup:
    """Wire loops in a row along y, about the edge x = 0."""
    r = thick * rng.uniform(0.55, 0.75)
    wide = length / count * rng.uniform(0.25, 0.4)
    loop = rod((0, -wide / 2, 0), (0, wide / 2, 0), r, metal(rng) if chance(rng, 0.7) else paint(_ground(rng), 0.3), segments=8)
    ys = np.linspace(-length / 2 + gap_from_end, length / 2 - gap_from_end, count)
    return repeated(loop, [(0, y, thick / 2) for y in ys])


def _spiral_notebook(rng: np.random.Generator) -> Soup:
    """Bound with wire along the left or the top, the cover or a page up."""
    t, ground = rng.uniform(0.008, 0.014), _ground(rng)
    top = of(Texture(_ruled(rng, 86, 120)) if chance(rng, 0.3) else Texture(_notebook_cover(rng, ground)), gloss=pick(rng, 0.0, 0.2))
    body = join([
        box((-0.1, -0.07, 0.001), (0.1, 0.07, t - 0.001), _edges(rng)),
        printed((-0.105, -0.072, t - 0.001), (0.105, 0.072, t), paint(ground), top),
        box((-0.105, -0.072, 0), (0.105, 0.072, 0.001), paint(shade(ground, 0.7)))
    ])
    if chance(rng, 0.35):
        return join([body, transformed(_coil(rng, int(rng.integers(9, 18)), 0.14, t), translation(-0.104, 0, 0))])
    return join([body, spun(_coil(rng, int(rng.integers(14, 26)), 0.205, t), np.pi / 2, 0, -0.071, 0)])


def _banded_notebook(rng: np.random.Generator) -> Soup:
    """Round corners, an elastic band, a ribbon: the writer's pocket book."""
    t, ground = rng.uniform(0.011, 0.018), colour(
        rng, pick(rng, (24, 24, 26), (24, 24, 26), (120, 28, 34), (30, 52, 92), (70, 96, 70), (120, 82, 52), any_colour(rng)))
    skin, band = paint(ground, 0.1), paint(shade(ground, 0.6) if chance(rng, 0.7) else any_colour(rng))
    outline = round_rect(-0.105, -0.072, 0.105, 0.072, 0.008)
    y = rng.uniform(0.045, 0.06)
    parts = [
        prism(outline, t - 0.0015, t, skin),
        prism(outline, 0, 0.0015, skin),
        box((-0.103, -0.0715, 0.001), (0.103, 0.069, t - 0.001), _edges(rng)),
        box((-0.105, -0.073, 0), (0.105, -0.07, t), skin)
    ]
    if chance(rng, 0.85):
        parts.append(box((-0.1062, y - 0.003, -0.0006), (0.1062, y + 0.003, t + 0.0006), band))
    if chance(rng, 0.6):
        parts.append(box((0.1, -0.03, t / 2), (0.105 + rng.uniform(0.008, 0.02), -0.026, t / 2 + 0.001), paint(any_colour(rng))))
    if chance(rng, 0.3):
        parts.append(rod((-0.09, 0.077, t / 2), (0.05, 0.077, t / 2), 0.004, metal(rng), segments=8))
    return join(parts)


def _exercise_book(rng: np.random.Generator) -> Soup:
    """Thin and stapled, the cover a little raised."""
    ground = _ground(rng)
    xs = np.linspace(-0.072, 0.072, 9)
    tops = 0.006 + rng.uniform(0, 0.006) * np.linspace(0, 1, 9)**2
    return spun(draped(xs, tops, tops - 0.005, -0.105, 0.105, of(Texture(_notebook_cover(rng, ground))), _edges(rng), paint(ground)), np.pi / 2)


def _pad(rng: np.random.Generator) -> Soup:
    """Glued at the top: legal pads in yellow, white blocks with a cardboard back."""
    t, paper = rng.uniform(0.006, 0.013), pick(rng, (250, 236, 130), (250, 248, 244), (250, 248, 244), (210, 232, 240), (248, 214, 222))
    bind = paint(_ground(rng))
    return join([
        box((-0.105, -0.073, 0), (0.105, 0.073, 0.0012), paint(colour(rng, (150, 126, 96)))),
        printed((-0.104, -0.072, 0.001), (0.104, 0.072, t), _edges(rng, paper), of(Texture(_ruled(rng, 86, 120, paper)))),
        box((-0.1055, -0.0735, 0), (-0.105 + rng.uniform(0.012, 0.026), 0.0735, t + 0.0005), bind)
    ])


def _open_notebook(rng: np.random.Generator) -> Soup:
    spread = np.concatenate([_ruled(rng, 60, 86), _ruled(rng, 60, 86)], axis=1)
    xs = np.concatenate([np.linspace(-0.105, 0, 6), np.linspace(0, 0.105, 6)[1:]])
    tops = 0.012 - rng.uniform(0.002, 0.006) * np.exp(-np.abs(xs) / 0.012)
    base = [
        draped(xs, tops, 0.002, -0.072, 0.072, of(Texture(spread)), _edges(rng)),
        box((-0.107, -0.074, 0), (0.107, 0.074, 0.002), paint(_ground(rng)))
    ]
    return join(base + ([_coil(rng, int(rng.integers(12, 20)), 0.14, 0.012)] if chance(rng, 0.6) else []))


def notebook(rng: np.random.Generator) -> Soup:
    return pick(rng, _spiral_notebook, _spiral_notebook, _banded_notebook, _banded_notebook, _exercise_book, _pad, _open_notebook)(rng)


def _magazine_cover(rng: np.random.Generator) -> np.ndarray:
    w, h = 94, 126
    image = picture(rng, w, h)
    ink = pick(rng, (255, 255, 255), (220, 30, 40), (250, 220, 40), (20, 20, 24), any_colour(rng, (0.6, 1), (0.6, 1)))
    if chance(rng, 0.3):
        image[:28] = any_colour(rng)
    title(image, pick(rng, *MASTHEADS), (5, 5, w - 5, 26), ink, pick(rng, *FONTS[:4]), 3)
    for side in (0, 1):
        for _ in range(int(rng.integers(1, 4))):
            x, y = (4 if side == 0 else 52) + int(rng.uniform(0, 6)), int(rng.uniform(32, 108))
            title(image, pick(rng, *WORDS), (x, y, x + 36, y + int(rng.uniform(6, 12))), pick(rng, ink, (255, 255, 255)), FONTS[0], 1)
    if chance(rng, 0.6):
        image[h - 14:h - 4, 4:24] = 250
        image[h - 13:h - 6, 6:22:2] = 20
    return image


def _spread(rng: np.random.Generator, w: int, h: int) -> np.ndarray:
    """Two glossy pages: one full picture or text in columns around pictures."""
    image = np.full((h, w, 3), pick(rng, (250, 250, 248), (244, 240, 232)), np.uint8)
    for x0 in (0, w // 2):
        wide = w // 2
        if chance(rng, 0.4):
            image[:, x0:x0 + wide] = picture(rng, wide, h)
            continue
        cut = int(rng.uniform(0.2, 0.6) * h)
        image[5:cut, x0 + 5:x0 + wide - 5] = picture(rng, wide - 10, cut - 5)
        title(image, pick(rng, *WORDS), (x0 + 6, cut + 3, x0 + wide - 6, cut + 12), (30, 30, 30), FONTS[2])
        for column in range(2):
            text_lines(image, rng, (x0 + 5 + column * (wide // 2 - 2), cut + 16, x0 + wide // 2 - 3 + column * (wide // 2 - 2), h - 6),
                       (120, 120, 120))
    return image


def magazine(rng: np.random.Generator) -> Soup:
    """Flat, with a lifted cover, open at a spread, open at one page, or a few in a pile."""
    kind, gloss = int(rng.integers(6)), pick(rng, 0.15, 0.35)
    edge = _edges(rng, (236, 236, 234))
    if kind == 0:
        xs = np.concatenate([np.linspace(-0.14, 0, 7), np.linspace(0, 0.14, 7)[1:]])
        tops = 0.009 - 0.006 * np.exp(-np.abs(xs) / 0.02) - rng.uniform(0, 0.003) * (np.abs(xs) / 0.14)
        return draped(xs, tops, 0, -0.105, 0.105, of(Texture(_spread(rng, 128, 96)), gloss=gloss), edge)
    if kind == 1:
        sheets = [
            spun(printed((-0.14, -0.105, i * 0.004), (0.14, 0.105, i * 0.004 + 0.004), edge, of(Texture(_magazine_cover(rng)), gloss=gloss)),
                 rng.normal(0, 0.06)) for i in range(int(rng.integers(2, 5)))
        ]
        return join(sheets)
    face = _spread(rng, 128, 126)[:, :64] if kind == 2 else _magazine_cover(rng)
    xs = np.linspace(-0.105, 0.105, 12)
    bend = pick(rng, 0, 0.001, 0.004) * ((xs + 0.105) / 0.21)**rng.uniform(1, 3) + pick(rng, 0, 0.002) * np.cos(xs / 0.105 * np.pi / 2)
    tops = rng.uniform(0.003, 0.007) + bend
    return spun(draped(xs, tops, bend, -0.14, 0.14, of(Texture(face), gloss=gloss), edge, paint((225, 225, 225), gloss)), np.pi / 2)


def _news_page(rng: np.random.Generator, w: int, h: int, paper: RGB, front: bool = True) -> np.ndarray:
    image = np.full((h, w, 3), paper, np.uint8)
    dark, y = (46, 46, 48), 4
    if front:
        ink = pick(rng, dark, dark, (170, 24, 30), (24, 50, 110))
        if chance(rng, 0.2):
            image[2:22], ink = ink, (250, 250, 250)
        title(image, pick(rng, *PAPERS), (5, 5, w - 5, 20), ink, pick(rng, *FONTS[1:4]), 2)
        image[24] = dark
        y = 28
    columns = int(rng.integers(3, 7))
    wide = (w - 4) // columns
    head = int(rng.uniform(8, 16))
    title(image, " ".join(pick(rng, *WORDS) for _ in range(2)), (4, y, w - 4, y + head), dark, FONTS[2], 2)
    y += head + 4
    tops = [y] * columns
    for _ in range(int(rng.integers(1, 4))):
        first, many = int(rng.integers(columns)), int(rng.integers(1, 4))
        last = min(columns, first + many)
        top = max(tops[first:last])
        high = int(rng.uniform(0.15, 0.4) * h)
        if top + high < h - 4:
            shot = picture(rng, (last - first) * wide - 3, high)
            if chance(rng, 0.6):
                shot = np.repeat(shot.mean(axis=2, keepdims=True), 3, axis=2)
            image[top:top + high, 3 + first * wide:last * wide] = (0.85 * shot + 0.15 * np.array(paper)).astype(np.uint8)
            tops[first:last] = [top + high + 3] * (last - first)
    for c, top in enumerate(tops):
        if chance(rng, 0.4) and top < h - 12:
            title(image, pick(rng, *WORDS), (4 + c * wide, top, wide * (c + 1) - 1, top + 6), dark)
            top += 9
        if top < h - 3:
            text_lines(image, rng, (4 + c * wide, top, wide * (c + 1), h - 3), (128, 126, 122), pick(rng, 2, 3), 0.03)
    return image


def newspaper(rng: np.random.Generator) -> Soup:
    """A tabloid, a broadsheet folded once or twice, an open spread, or a loose pile."""
    paper = colour(rng, pick(rng, (222, 218, 208), (232, 230, 224), (214, 206, 188), (222, 218, 208), (244, 212, 186)), 6)
    edge, kind = _edges(rng, shade(paper, 0.92)), int(rng.integers(5))
    wave = rng.uniform(0, 0.0016) * np.sin(np.linspace(0, rng.uniform(3, 9), 12) + rng.uniform(0, 6))
    if kind == 0:  # opened flat, the middle fold along y
        spread = np.concatenate([_news_page(rng, 64, 96, paper, False), _news_page(rng, 64, 96, paper, chance(rng, 0.4))], axis=1)
        spread[:, 63:65] = shade(paper, 0.75)
        return draped(np.linspace(-0.2, 0.2, 12), 0.005 + wave * 2 - 0.003 * np.exp(-np.abs(np.linspace(-4, 4, 12))), 0, -0.15, 0.15,
                      of(Texture(spread)), edge)
    if kind == 1:  # a pile
        return join(
            spun(printed((-0.2, -0.15, i * 0.005), (0.2, 0.15,
                                                    i * 0.005 + 0.005), edge, of(Texture(_news_page(rng, 96, 128, paper)))), rng.normal(0, 0.04))
            for i in range(2))
    image = _news_page(rng, 96, 128, paper)
    tops = 0.007 + wave
    if kind >= 3:  # folded: round along the fold at the reader's side, sheets fanned out at the other
        image[-4:] = shade(paper, 0.85)
        half = profile(round_rect(-0.2, 0, 0.2, 0.01, 0.0045), 0.3, paint(paper))
        leaves = [
            box((-0.2 - rng.uniform(0.002, 0.01), -0.15, z), (0.1, 0.15 - rng.uniform(0, 0.006), z + 0.001), paint(shade(paper, 0.94)))
            for z in (0.002, 0.005, 0.007)
        ]
        return join([half, *leaves, lying(-0.198, -0.15, 0.197, 0.15, 0.0104, of(Texture(image)))])
    return spun(draped(np.linspace(-0.15, 0.15, 12), tops, np.maximum(0, wave), -0.2, 0.2, of(Texture(image)), edge), np.pi / 2)


MAKERS: Mapping[str, Maker] = {
    "book": book,
    "notebook": notebook,
    "magazine": magazine,
    "newspaper": newspaper,
    **prints_boards.MAKERS,
    **prints_cloth.MAKERS,
    **prints_toys.MAKERS
}
