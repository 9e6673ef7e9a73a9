"""The same question in other words: how far does the answer hang on one writer's phrases?

Every change keeps the meaning; what the reader gets out of the changed text must equal what it got before. Kinds: synonyms, British
spelling and numerals, order of sentences within a room and of the rooms, another name, and misspellings (which may cost something).
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import replace
from enum import Enum

from evaluation.mmtom_items import Item


class Perturbation(str, Enum):
    SYNONYMS = "synonyms"
    NUMERALS = "numerals"
    ORDER = "order"
    NAME = "name"
    TYPOS = "typos"


_THINGS: Mapping[str, tuple[str, ...]] = {
    "refrigerator": ("fridge",), "fridge": ("refrigerator", "icebox"), "stove": ("oven", "cooker"), "sofa": ("couch", "settee"),
    "kitchen cabinets": ("kitchen cupboards",), "kitchen cabinet": ("kitchen cupboard",), "bathroom cabinet": ("bathroom cupboard",),
    "cabinets": ("cupboards",), "cabinet": ("cupboard",), "living room": ("lounge", "sitting room"),
    "bags of chips": ("packets of crisps",), "bag of chips": ("packet of crisps",), "remote controls": ("remotes",),
    "remote control": ("remote", "TV remote"), "bottles of wine": ("wine bottles",), "bottle of wine": ("wine bottle",),
    "dish bowls": ("bowls",), "dish bowl": ("bowl",), "dishbowl": ("dish bowl", "bowl"), "condiment bottles": ("sauce bottles",),
    "condiment bottle": ("sauce bottle",), "cupcakes": ("fairy cakes",), "cupcake": ("fairy cake",), "wine glass": ("wineglass",),
    "water glass": ("drinking glass", "tumbler"), "water glasses": ("drinking glasses", "tumblers"), "books": ("novels",), "book": ("novel",),
}
_DOINGS: Mapping[str, tuple[str, ...]] = {
    "strides towards": ("ambles over to", "goes over to", "wanders up to"), "walks towards": ("makes a beeline for", "steps up to", "strolls toward"),
    "proceeds to the": ("relocates to the", "goes into the"), "proceeds towards the": ("crosses over into the", "heads into the"),
    "approaches the": ("comes up to the", "goes up to the"), "moves towards": ("paces towards", "heads over to"),
    "heads towards": ("sets off for", "hurries towards"), "opens it": ("pulls it open", "swings it open"),
    "closes it": ("pushes it shut", "shuts it again"), "shuts it": ("closes it once more", "slides it shut"),
    "preparing to open": ("just about to open", "reaching out to open"), "is about to open": ("is on the point of opening",),
    "is on the verge of opening": ("is just about to open",), "subsequently": ("thereafter",), "is situated in": ("starts out in", "is at first in"),
    "does the same with": ("repeats the process with",), "repeats this action with": ("does exactly the same with",),
    "Following this,": ("After that,",), "opening and closing each one": ("opening and shutting every one",),
    "navigates towards": ("steers towards",), "advances towards": ("draws up to", "marches up to"),
}
_TELLINGS: Mapping[str, tuple[str, ...]] = {
    "contains": ("has", "boasts", "keeps"), "houses": ("is home to", "accommodates"), "holds": ("harbours", "bears"),
    "is equipped with": ("comes with", "is kitted out with"), "is furnished with": ("offers", "has"), "features": ("includes", "sports"),
    "is filled with": ("is packed with",), "is stocked with": ("is loaded with",), "is adorned with": ("displays", "is decorated with"),
    "is currently empty": ("has nothing in it", "is bare"), "is empty": ("has nothing in it", "contains nothing"), "you'll find": ("one can find",),
    "rests on": ("lies on", "has been left on"), "are placed on": ("have been put on", "stand on"), "is placed on": ("sits on", "has been laid on"),
    "there is": ("there's",), "Lastly, the": ("Finally, the",),
}
_ORDINALS = {"first": "1st", "second": "2nd", "third": "3rd", "fourth": "4th", "fifth": "5th", "sixth": "6th", "seventh": "7th", "eighth": "8th"}
_NUMBERS = {"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "eight": "8"}


def perturbed(item: Item, kind: Perturbation, seed: int) -> Item:
    """The item retold. Deterministic in ``seed`` and the item's index. Answer and options stay what they mean."""
    rng = random.Random(f"{seed}/{item.index}/{kind.value}")
    if item.problem:
        return item
    if kind is Perturbation.SYNONYMS:
        both = {**_THINGS, **_DOINGS}
        return replace(item, home=_swap(item.home, {**_THINGS, **_TELLINGS}, rng), conduct=_swap(item.conduct, both, rng))
    if kind is Perturbation.NUMERALS:
        table = {**_ORDINALS, **_NUMBERS}
        change = {w: (n,) for w, n in table.items()}
        return replace(item, home=_swap(item.home, change, rng), conduct=_swap(item.conduct, change, rng))
    if kind is Perturbation.ORDER:
        return replace(item, home=_reordered(item.home, rng))
    if kind is Perturbation.NAME:
        return _renamed(item, rng.choice(("Rose", "Bartholomew", "Mei-Ling", "Will", "Ngozi", "José", "Mark", "Grace")))
    return replace(item, home=_misspelt(item.home, rng), conduct=_misspelt(item.conduct, rng))


def _swap(text: str, table: Mapping[str, tuple[str, ...]], rng: random.Random) -> str:
    pattern = re.compile(r"\b(" + "|".join(sorted(map(re.escape, table), key=len, reverse=True)) + r")(?![\w])")
    return pattern.sub(lambda m: rng.choice(table[m[1]]), text)


def _reordered(text: str, rng: random.Random) -> str:
    """Rooms in another order; within a room, the sentences after its first one that stand on their own."""
    lines = [line for line in text.split("\n") if line.strip()]
    head, rooms = lines[:1], lines[1:]
    rng.shuffle(rooms)
    out = []
    for line in rooms:
        sentences = re.split(r"(?<=\.)\s+", line.strip())
        tied = re.compile(r"\b(?:also|other|another|one|however|it|there\.|as well)\b|, the \w+ (?:is|has|holds|a)", re.I)
        if not any(tied.search(s) for s in sentences[1:]) and not any(re.match(r"the \w+(?:,| from)? .*\b(?:third|fourth)\b (?!cab)", s, re.I) for s in sentences):
            rest = sentences[1:]
            rng.shuffle(rest)
            sentences = sentences[:1] + rest
        out.append(" ".join(sentences))
    return "\n".join([*head, *out])


def _renamed(item: Item, name: str) -> Item:
    def change(text: str) -> str:
        return re.sub(rf"\b{re.escape(item.actor)}\b", name, text)

    return replace(item, actor=name, conduct=change(item.conduct), given=change(item.given),
                   options={k: change(v) for k, v in (item.options or {}).items()})


def _misspelt(text: str, rng: random.Random, rate: float = 0.02) -> str:
    """One letter doubled, left out or swapped with the next in this share of the longer words."""
    def damage(m: re.Match) -> str:
        word = m[0]
        if rng.random() >= rate:
            return word
        k = rng.randrange(1, len(word) - 2)
        return rng.choice((word[:k] + word[k] + word[k:], word[:k] + word[k + 1:], word[:k] + word[k + 1] + word[k] + word[k + 2:]))

    return re.sub(r"\b[a-z]{6,}\b", damage, text)
