"""Nouns: the household's classes and what other writers call the same things.

Invariant (tested): every phrase means one class, or one family of classes that the room decides between.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from household import classes
from household.classes import Kind
from mind.reading.terms import Entry, Tag

# Words that name one class or another depending on the room: resolved against the home by ``places.py``.
ANY_CABINET, ANY_TABLE = "any cabinet", "any table"
FAMILIES: Mapping[str, tuple[str, ...]] = {
    ANY_CABINET: ("cabinet", "kitchencabinet", "bathroomcabinet"),
    ANY_TABLE: ("kitchentable", "diningtable", "coffeetable"),
}

_MORE_NOUNS: Mapping[str, tuple[str, ...]] = {
    "fridge": ("refrigerators", "icebox", "fridge freezer", "fridge door", "refrigerator door"), "microwave": ("microwave door",),
    "stove": ("range", "cooking stove", "cooking range", "oven door", "stove door"), "dishwasher": ("dishwashing machine", "dishwasher door"),
    "kitchencabinet": ("kitchen cabinet door", "kitchen cupboard door"),
    "bathroomcabinet": ("bathroom cupboard", "medicine cabinet", "bathroom cabinet door"),
    ANY_CABINET: ("cabinet", "cupboard", "cabinet door", "cupboard door"), ANY_TABLE: ("table",), "coffeetable": ("coffeetable", "low table"),
    "desk": ("writing desk", "work desk", "study desk"), "sofa": ("settee", "couch"), "kitchencounter": ("worktop",),
    "apple": ("red apple", "green apple"), "salmon": ("salmon fillet", "salmon filet", "fillet of salmon", "salmon steak"),
    "dishbowl": ("dishbowl", "soup bowl"), "waterglass": ("waterglass", "drinking glass", "glass of water", "water tumbler"),
    "wineglass": ("wineglass", "wine goblet", "goblet"), "wine": ("bottle of wine", "bottle of red wine"),
    "chips": ("bag of crisps", "packet of crisps", "packet of chips", "bag of potato chips", "potato chips", "chip bag"),
    "condimentbottle": ("condiment bottle", "condimentbottle", "bottle of condiment", "condiment", "bottle of ketchup", "ketchup bottle"),
    "remotecontrol": ("remotecontrol", "remote controller", "television remote"), "book": ("novel", "paperback"),
    "cupcake": ("fairy cake", "cup cake"), "plate": ("dinner plate",), "livingroom": ("livingroom", "living area", "front room"),
    "bathroom": ("washroom", "bath room"), "bedroom": ("bed room",), "kitchen": ("kitchen area", "kitchenette"),
    "kitchentable": ("kitchentable",), "glasses": ("eyeglasses", "spectacles", "pair of glasses", "pair of reading glasses", "pairs of glasses"), "tv": ("tv set",),
}
_IRREGULAR = {"loaf": "loaves", "knife": "knives", "shelf": "shelves", "cutlery": "cutlery", "box": "boxes", "switch": "switches"}
_KINDS = {Kind.ROOM: Tag.ROOM, Kind.CONTAINER: Tag.PLACE, Kind.SURFACE: Tag.PLACE}


def _plurals(phrase: str) -> Iterator[str]:
    """``bag of chips`` → ``bags of chips``; ``water glass`` → ``water glasses``."""
    head, of, tail = phrase.partition(" of ")
    words = head.split()
    last = words[-1]
    if last in _IRREGULAR:
        plural = _IRREGULAR[last]
    elif last.endswith(("s", "x", "ch", "sh")):
        plural = last + "es"
    elif last.endswith("y") and last[-2] not in "aeiou":
        plural = last[:-1] + "ies"
    elif last in ("potato", "tomato"):
        plural = last + "es"
    else:
        plural = last + "s"
    yield " ".join([*words[:-1], plural]) + of + tail


def nouns() -> Iterator[tuple[str, Entry]]:
    generic = {"cabinet", "cupboard", "table"}
    for row in classes.CLASSES.values():
        tag = _KINDS.get(row.kind)
        if tag is None:
            if row.kind not in (Kind.OBJECT, Kind.DEVICE, Kind.OBSTACLE):
                continue
            tag = Tag.OBJECT
        words = [w for w in (*(w for w in row.words if w != "glasses"), *_MORE_NOUNS.get(row.id, ())) if w not in generic]
        if row.id not in ("glasses", "keys", "cabinet"):
            words.append(row.id)
        for word in words:
            if row.id != "glasses":  # plural already; "glasses" alone are for drinking
                for plural in _plurals(word):
                    yield plural, Entry(tag, row.id, plural=True)
        if row.plural and row.id != "glasses":
            yield row.plural, Entry(tag, row.id, plural=True)
        for word in words:
            yield word, Entry(tag, row.id)
    for family in (ANY_CABINET, ANY_TABLE):
        for word in _MORE_NOUNS[family]:
            yield word, Entry(Tag.PLACE, family)
            for plural in _plurals(word):
                yield plural, Entry(Tag.PLACE, family, plural=True)
