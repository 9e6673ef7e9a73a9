"""What kinds of things a home holds: one table, looked up by id or by the words people use.

Class ids follow VirtualHome's lower-case names where there is one (``waterglass``, ``kitchencabinet``). An entity is
``<class>_<n>`` (``apple_1``); rooms and people keep their own names (``kitchen``, ``alice``). Sizes are typical outer
dimensions in metres (x along the front, y depth, z height), used for priors and for building homes.
Invariant (tested): no two classes share an id or a spoken word.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum


class Kind(str, Enum):
    ROOM = "room"
    CONTAINER = "container"  # things are put inside; opens and closes
    SURFACE = "surface"  # things are put on it; always in view
    OBJECT = "object"  # can be held in one hand
    DEVICE = "device"  # is switched on and off, stays in its place
    OBSTACLE = "obstacle"  # stands in the way, can be pushed
    PERSON = "person"
    ROBOT = "robot"
    DOOR = "door"


OPENS_DOWN = frozenset({"stove", "dishwasher"})  # their door comes down and then lies flat
OPENS_IN_PARTS = frozenset({"drawer"})  # one drawer above another: while one is out the others' fronts are where they were
OPENS_ABOVE = frozenset({"box", "basket"})  # their lid is their top: while they stand open nothing can lie on them


@dataclass(frozen=True)
class EntityClass:
    """One row of the table. ``words[0]`` is what the robot says; ``plural`` is None for regular plurals."""

    id: str
    kind: Kind
    words: tuple[str, ...]
    size: tuple[float, float, float] = (0.1, 0.1, 0.1)
    rooms: tuple[str, ...] = ()  # room classes where it usually stands
    plural: str | None = None
    switchable: bool = False

    @property
    def grabbable(self) -> bool:
        return self.kind is Kind.OBJECT

    @property
    def opens(self) -> bool:
        return self.kind in (Kind.CONTAINER, Kind.DOOR)

    @property
    def is_place(self) -> bool:
        """Whether an object can be at this class of thing (in it or on it)."""
        return self.kind in (Kind.CONTAINER, Kind.SURFACE)

    @property
    def preposition(self) -> str:
        return "in" if self.kind in (Kind.CONTAINER, Kind.ROOM) else "on"

    @property
    def spoken(self) -> str:
        return self.words[0]


def _rows() -> list[EntityClass]:
    E, K = EntityClass, Kind
    kitchen, living, bed, bath = ("kitchen",), ("livingroom",), ("bedroom",), ("bathroom",)
    rows = [
        E("kitchen", K.ROOM, ("kitchen",)),
        E("livingroom", K.ROOM, ("living room", "lounge", "sitting room")),
        E("bedroom", K.ROOM, ("bedroom",)),
        E("bathroom", K.ROOM, ("bathroom", "restroom")),
        E("diningroom", K.ROOM, ("dining room",)),
        E("hallway", K.ROOM, ("hallway", "hall", "corridor", "entrance")),
        E("office", K.ROOM, ("office", "study")),
        # containers
        E("fridge", K.CONTAINER, ("fridge", "refrigerator"), (0.65, 0.65, 1.75), kitchen),
        E("microwave", K.CONTAINER, ("microwave", "microwave oven"), (0.50, 0.38, 0.30), kitchen),
        E("stove", K.CONTAINER, ("stove", "oven", "cooker"), (0.60, 0.60, 0.90), kitchen),
        E("dishwasher", K.CONTAINER, ("dishwasher", "dish washer"), (0.60, 0.60, 0.85), kitchen),
        E("kitchencabinet", K.CONTAINER, ("kitchen cabinet", "kitchen cupboard"), (0.60, 0.40, 0.70), kitchen),
        E("bathroomcabinet", K.CONTAINER, ("bathroom cabinet",), (0.60, 0.35, 0.80), bath),
        E("cabinet", K.CONTAINER, ("cabinet", "cupboard"), (0.90, 0.40, 0.90), living),
        E("drawer", K.CONTAINER, ("drawer", "chest of drawers", "dresser"), (0.80, 0.45, 0.75), bed),
        E("wardrobe", K.CONTAINER, ("wardrobe", "closet"), (1.20, 0.60, 2.00), bed),
        E("box", K.CONTAINER, ("box", "crate"), (0.40, 0.30, 0.25), living, plural="boxes"),
        E("basket", K.CONTAINER, ("basket",), (0.40, 0.30, 0.25), living),
        # surfaces
        E("kitchentable", K.SURFACE, ("kitchen table",), (1.20, 0.80, 0.74), kitchen),
        E("kitchencounter", K.SURFACE, ("kitchen counter", "counter", "countertop"), (1.20, 0.60, 0.90), kitchen),
        E("coffeetable", K.SURFACE, ("coffee table",), (1.00, 0.60, 0.42), living),
        E("diningtable", K.SURFACE, ("dining table", "table"), (1.60, 0.90, 0.74), ("diningroom",)),
        E("desk", K.SURFACE, ("desk",), (1.20, 0.60, 0.74), bed),
        E("sofa", K.SURFACE, ("sofa", "couch", "settee"), (2.00, 0.90, 0.80), living),
        E("bed", K.SURFACE, ("bed",), (1.60, 2.00, 0.55), bed),
        E("nightstand", K.SURFACE, ("nightstand", "bedside table"), (0.45, 0.40, 0.55), bed),
        E("bookshelf", K.SURFACE, ("bookshelf", "bookcase", "shelf", "shelves"), (0.90, 0.32, 1.80), living,
          plural="bookshelves"),
        E("tvstand", K.SURFACE, ("tv stand", "tv unit"), (1.40, 0.45, 0.50), living),
        E("chair", K.SURFACE, ("chair",), (0.45, 0.50, 0.90), kitchen),
        E("bench", K.SURFACE, ("bench",), (1.20, 0.40, 0.45), kitchen, plural="benches"),
        E("bathroomcounter", K.SURFACE, ("bathroom counter", "washstand"), (0.80, 0.50, 0.85), bath),
        E("stool", K.SURFACE, ("stool",), (0.35, 0.35, 0.45), kitchen),
    ]
    objects = [
        ("apple", ("apple",), (0.08, 0.08, 0.08)), ("cupcake", ("cupcake", "muffin"), (0.08, 0.08, 0.08)),
        ("salmon", ("salmon", "fish"), (0.24, 0.10, 0.05)), ("plate", ("plate",), (0.24, 0.24, 0.03)),
        ("dishbowl", ("dish bowl", "bowl"), (0.18, 0.18, 0.08)),
        ("waterglass", ("water glass", "glass", "tumbler"), (0.075, 0.075, 0.13)),
        ("wineglass", ("wine glass",), (0.08, 0.08, 0.20)),
        ("wine", ("bottle of wine", "wine bottle", "wine"), (0.08, 0.08, 0.31)),
        ("chips", ("bag of chips", "chips", "crisps"), (0.20, 0.08, 0.26)),
        ("condimentbottle", ("condiment bottle", "ketchup", "sauce bottle"), (0.06, 0.06, 0.20)),
        ("book", ("book",), (0.16, 0.22, 0.03)),
        ("remotecontrol", ("remote control", "remote", "tv remote"), (0.05, 0.18, 0.025)),
        # beyond MMToM-QA's twelve
        ("juice", ("juice", "carton of juice"), (0.08, 0.08, 0.22)), ("milk", ("milk", "carton of milk"), (0.08, 0.08, 0.22)),
        ("beer", ("beer", "bottle of beer"), (0.065, 0.065, 0.24)), ("mug", ("mug", "cup"), (0.10, 0.08, 0.10)),
        ("coffeepot", ("coffee pot", "coffeepot"), (0.18, 0.15, 0.20)), ("pudding", ("pudding",), (0.09, 0.09, 0.07)),
        ("pancake", ("pancake",), (0.18, 0.18, 0.02)), ("bread", ("bread", "loaf of bread"), (0.26, 0.12, 0.11)),
        ("banana", ("banana",), (0.18, 0.06, 0.05)), ("orange", ("orange",), (0.08, 0.08, 0.08)),
        ("carrot", ("carrot",), (0.18, 0.04, 0.04)), ("potato", ("potato",), (0.09, 0.07, 0.06)),
        ("knife", ("knife", "kitchen knife"), (0.30, 0.04, 0.02)), ("fork", ("fork", "cutlery fork"), (0.19, 0.03, 0.02)),
        ("spoon", ("spoon",), (0.18, 0.04, 0.02)), ("cuttingboard", ("cutting board", "chopping board"), (0.35, 0.24, 0.02)),
        ("candle", ("candle",), (0.07, 0.07, 0.12)), ("lighter", ("lighter", "box of matches"), (0.03, 0.02, 0.08)),
        ("magazine", ("magazine",), (0.21, 0.28, 0.01)), ("newspaper", ("newspaper",), (0.30, 0.40, 0.01)),
        ("cellphone", ("phone", "cell phone", "mobile phone"), (0.075, 0.15, 0.01)),
        ("keys", ("keys", "key"), (0.06, 0.09, 0.02)), ("glasses", ("glasses", "reading glasses"), (0.14, 0.15, 0.04)),
        ("towel", ("towel",), (0.35, 0.25, 0.06)), ("perfume", ("perfume",), (0.05, 0.04, 0.12)),
        ("toothbrush", ("toothbrush",), (0.19, 0.02, 0.02)), ("medicine", ("medicine", "pill bottle"), (0.05, 0.05, 0.09)),
        ("toy", ("toy", "teddy bear"), (0.20, 0.15, 0.25)), ("pillow", ("pillow", "cushion"), (0.45, 0.35, 0.15)),
        ("laptop", ("laptop", "notebook computer"), (0.33, 0.24, 0.03)), ("vase", ("vase",), (0.12, 0.12, 0.25)),
        ("pen", ("pen",), (0.14, 0.015, 0.015)), ("notebook", ("notebook",), (0.15, 0.21, 0.015)),
        ("bucket", ("bucket",), (0.28, 0.28, 0.28)), ("flashlight", ("flashlight", "torch"), (0.16, 0.05, 0.05)),
    ]
    plurals = {"knife": "knives", "salmon": "salmons", "chips": "bags of chips", "wine": "bottles of wine",
               "juice": "juices", "keys": "keys", "glasses": "glasses", "dishbowl": "dish bowls", "bread": "loaves of bread",
               "waterglass": "water glasses", "wineglass": "wine glasses", "toothbrush": "toothbrushes"}
    rows += [E(id, K.OBJECT, words, size, plural=plurals.get(id)) for id, words, size in objects]
    rows += [
        E("faucet", K.DEVICE, ("tap", "faucet"), (0.20, 0.15, 0.25), bath, switchable=True),
        E("sink", K.DEVICE, ("sink", "washbasin"), (0.55, 0.45, 0.20), bath, switchable=True),
        E("tv", K.DEVICE, ("television", "tv", "telly"), (1.10, 0.10, 0.65), living, switchable=True),
        E("lamp", K.DEVICE, ("lamp", "light"), (0.35, 0.35, 1.50), living, switchable=True),
        E("coffeemaker", K.DEVICE, ("coffee maker", "coffee machine"), (0.25, 0.25, 0.35), kitchen, switchable=True),
        E("toilet", K.DEVICE, ("toilet",), (0.40, 0.65, 0.80), bath),
        E("suitcase", K.OBSTACLE, ("suitcase", "luggage"), (0.45, 0.28, 0.65)),
        E("plant", K.OBSTACLE, ("plant", "potted plant"), (0.40, 0.40, 1.00)),
        E("scooter", K.OBSTACLE, ("scooter",), (0.80, 0.20, 0.90)),
        E("person", K.PERSON, ("person", "someone"), (0.50, 0.35, 1.70), plural="people"),
        E("wheelchair", K.DEVICE, ("wheelchair",), (0.65, 1.00, 0.95)),
        E("robot", K.ROBOT, ("robot",), (0.45, 0.45, 1.20)),
        E("door", K.DOOR, ("door",), (0.90, 0.10, 2.05)),
    ]
    return rows


CLASSES: Mapping[str, EntityClass] = {row.id: row for row in _rows()}
_WORDS: Mapping[str, str] = {word: row.id for row in CLASSES.values() for word in row.words}


def get(class_id: str) -> EntityClass:
    """The class, or KeyError that lists close names."""
    try:
        return CLASSES[class_id]
    except KeyError:
        import difflib

        near = difflib.get_close_matches(class_id, CLASSES, n=3) or sorted(CLASSES)
        raise KeyError(f"unknown class '{class_id}'; did you mean {', '.join(near)}?") from None


def class_for_word(word: str) -> EntityClass | None:
    """The class a spoken word or phrase names ("refrigerator", "wine glasses"), or None."""
    text = " ".join(word.lower().split())
    if text in _WORDS:
        return CLASSES[_WORDS[text]]
    if text in CLASSES:
        return CLASSES[text]
    for row in CLASSES.values():
        if text == row.plural:
            return row
    for suffix in ("es", "s"):
        if text.endswith(suffix) and text[: -len(suffix)] in _WORDS:
            return CLASSES[_WORDS[text[: -len(suffix)]]]
    return None


def class_of(entity_id: str) -> str:
    """``apple_2`` → ``apple``. People and rooms are their own ids; ask the scene graph for their class."""
    head, _, tail = entity_id.rpartition("_")
    return head if head and tail.isdigit() else entity_id


def number_of(entity_id: str) -> int:
    """``apple_2`` → 2; 0 for an id without a number."""
    tail = entity_id.rpartition("_")[2]
    return int(tail) if tail.isdigit() else 0


def of_kind(*kinds: Kind) -> tuple[str, ...]:
    return tuple(row.id for row in CLASSES.values() if row.kind in kinds)


# What every home has of loose things; other loose things are in some homes only.
EVERYDAY = ("apple", "cupcake", "salmon", "plate", "dishbowl", "waterglass", "wineglass", "wine", "chips", "condimentbottle", "book", "remotecontrol")

# What goes with what: the tool or parts a task needs (household common sense, used for goals and for helping).
USE_TOGETHER: Mapping[str, tuple[str, ...]] = {
    "cut the carrot": ("cuttingboard", "carrot", "knife"),
    "cut the bread": ("cuttingboard", "bread", "knife"),
    "pour wine": ("wine", "wineglass"),
    "pour juice": ("juice", "waterglass"),
    "eat salmon": ("salmon", "plate", "fork"),
    "eat pudding": ("pudding", "spoon"),
    "light a candle": ("candle", "lighter"),
    "write a note": ("notebook", "pen"),
    "watch television": ("remotecontrol", "tv"),
    "read": ("book", "glasses"),
}
