"""From what was said to a template: lower case, contractions expanded, names of things and people replaced by numbered slots.

``"Alice, the red apple isn't in the fridge!"`` → clause ``"@0 is not in @1"``. The sentence forms (:mod:`mind.dialogue.forms`)
then match a small closed language; what a slot means is settled later, against the scene and the thread of talk.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from household import classes

_CONTRACTIONS = (
    (r"\bwon't\b", "will not"), (r"\bcan't\b|\bcannot\b", "can not"), (r"\bshan't\b", "shall not"), (r"\bain't\b", "is not"),
    (r"(\w+)n't\b", r"\1 not"), (r"\b(i)'m\b", r"\1 am"), (r"\b(\w+)'re\b", r"\1 are"), (r"\b(\w+)'ve\b", r"\1 have"),
    (r"\b(\w+)'ll\b", r"\1 will"), (r"\b(i|we|you|they|he|she)'d\b", r"\1 would"), (r"\blet's\b", "let us"),
    (r"\b(it|that|there|here|where|what|who|he|she|someone|somebody|everything|something|mouth|throat)'s\b", r"\1 is"),
    (r"(\w+)'s (?=(?:in|inside|on|at|under|next|not|still|over|right|back|gone|probably|just)\b)", r"\1 is "),
    (r"\bwheres\b", "where is"), (r"\bgonna\b", "going to"), (r"\bwanna\b", "want to"), (r"\bgotta\b", "have to"),
    (r"\bdunno\b", "do not know"), (r"\bnope\b|\bnah\b", "no"), (r"\byep\b|\byeah\b|\byup\b", "yes"),
)
_FILLERS = re.compile(
    r"^(?:(?:hey|hi|hello|excuse me|um+|uh+|er+|hmm+|well|oh|ah|ok|okay|so|listen|look here|actually|honestly|by the way|you know"
    r"|please|sorry|sure|sure thing|of course|certainly|no problem|no worries|and|but|then|also|now|yes please|quick question|robot)\b[ ,]*)+(?=\S)")
_TAILS = re.compile(
    r"[ ,]+(?:please|now|right now|today|tonight|anywhere|around|around here|by any chance|at the moment|at all|thanks|thank you|then|too"
    r"|as well|for now|again|instead|by the way|okay|ok|robot|just now|a (?:minute|while|moment) ago"
    r"|earlier|earlier today|this morning|yesterday|still|somewhere|actually|you know|by accident)$")

# Spoken words beyond the class table that are common at home; several classes fit a word in FAMILIES.
EXTRA_WORDS = {"water": "waterglass", "glass of water": "waterglass", "coffee": "coffeepot", "cabinets": "cabinet", "sideboard": "cabinet",
               "cell": "cellphone", "cellphone": "cellphone", "tablets": "medicine", "pills": "medicine", "clicker": "remotecontrol",
               "ottoman": "stool", "armchair": "chair", "wardrobe closet": "wardrobe", "teapot": "coffeepot", "teacup": "mug",
               "freezer": "fridge", "water glass": "waterglass", "wineglass": "wineglass", "potatoes": "potato", "kitchen drawer": "drawer",
               "spectacles": "glasses", "specs": "glasses", "smartphone": "cellphone", "bedside": "nightstand", "worktop": "kitchencounter"}
FAMILIES: dict[str, tuple[str, ...]] = {
    "cabinet": ("cabinet", "kitchencabinet", "bathroomcabinet"), "cupboard": ("kitchencabinet", "cabinet", "bathroomcabinet"),
    "table": ("diningtable", "kitchentable", "coffeetable"), "counter": ("kitchencounter", "bathroomcounter"),
    "glass": ("waterglass", "wineglass"), "shelf": ("bookshelf",), "glasses": ("glasses", "waterglass", "wineglass"),
    "bottle": ("wine", "beer", "condimentbottle"), "bag": ("chips",),
}
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "1st": 1, "2nd": 2,
             "3rd": 3, "4th": 4, "5th": 5, "last": -1}
_DETERMINERS = ("the other", "another", "one of the", "a bit of", "a piece of", "a slice of", "a carton of", "a can of", "a glass of",
                "a cup of", "a bottle of", "a bag of", "a loaf of", "the bottle of", "the carton of", "the bag of", "both", "the two", "a couple of", "a few", "several", "two", "three",
                "the", "an", "a", "my", "your", "his", "her", "our", "their", "some", "this", "that", "any", "those", "these", "all the")
INDEFINITE = frozenset({"a", "an", "some", "any", "one of the", "another", ""})
_OTHER = frozenset({"the other", "another"})


@dataclass(frozen=True)
class Mention:
    """A noun phrase as heard. ``classes``: class ids it may name, likeliest first (empty: a person). ``nearest``: classes of what it is said to be
    nearest to, ``count``: how many-eth nearest. ``or_else``: classes of what else it may be ("the apple or orange": one thing, of which the speaker does not know what it is). ``room``: class of the room it
    is said to be in, ``room_ordinal``: which of them. ``ordinal``: 1 first … -1 last, 0 none. ``number``: k in "cabinet 2", 0 none. ``similarity``: 1 when the lexicon knows the word."""

    words: str
    classes: tuple[str, ...] = ()
    person: str | None = None
    room: str | None = None
    ordinal: int = 0
    other: bool = False
    definite: bool = True
    similarity: float = 1.0
    number: int = 0
    room_ordinal: int = 0
    nearest: tuple[str, ...] = ()
    count: int = 1
    or_else: tuple[str, ...] = ()

    @property
    def kind(self) -> classes.Kind:
        return classes.get(self.classes[0]).kind if self.classes else classes.Kind.PERSON


@dataclass(frozen=True)
class Clause:
    """``text``: the template; ``plain``: the same words unslotted; ``question``: it ended in a question mark."""

    text: str
    plain: str
    mentions: tuple[Mention, ...]
    question: bool = False
    corrects: bool = False  # opened by "no wait", "I mean": replaces what was said just before


def normalise(text: str) -> str:
    """Lower case, plain apostrophes, contractions expanded, single spaces."""
    text = text.lower().replace("’", "'").replace("‘", "'").replace("–", ", ").replace("—", ", ").replace("…", ".")
    for pattern, replacement in _CONTRACTIONS:
        text = re.sub(pattern, replacement, text)
    return " ".join(re.sub(r"[^a-z0-9' ,.;:!?\n_-]", " ", text).split())


@functools.lru_cache(maxsize=1)
def _lexicon() -> dict[str, tuple[str, ...]]:
    """Every spoken form → the classes it may name, likeliest first."""
    table: dict[str, tuple[str, ...]] = {}
    for row in classes.CLASSES.values():
        if row.kind in (classes.Kind.PERSON, classes.Kind.ROBOT):
            continue
        for word in (row.id, *row.words, *(w + "s" for w in row.words), *((row.plural,) if row.plural else ())):
            table.setdefault(word, (row.id,))
    table.update({word: (cls,) for word, cls in EXTRA_WORDS.items()})
    for word, family in FAMILIES.items():
        table.update({form: family for form in (word, word + "s") if form == word or form not in FAMILIES})
    return table


@functools.lru_cache(maxsize=64)
def _scanner(people: tuple[str, ...]) -> re.Pattern[str]:
    table = _lexicon()
    nouns = "|".join(re.escape(w) for w in sorted(table, key=len, reverse=True))
    names = "|".join(re.escape(p.lower()) for p in sorted(people, key=len, reverse=True)) or r"(?!)"
    dets = "|".join(_DETERMINERS)
    ordinals = "|".join(_ORDINALS)
    filler = r"(?!(?:is|are|was|were|in|on|at|the|a|an|and|or|to|not|from|of|for|with|me|him|her|i|you|it|where)\b)[a-z]+"
    return re.compile(
        rf"\b(?:the )?(?P<entity>(?:[a-z]+)_\d+)\b|\b(?P<person>{names})(?P<poss>'s?)?\b"
        rf"|\b(?:(?P<det>{dets}) )?(?:(?P<ord>{ordinals}) )?(?(det)(?:{filler} ){{0,2}}?)(?P<noun>(?:(?:{nouns}) )*?(?:{nouns}))\b(?: (?:number )?(?P<num>\d{{1,3}})\b)?(?:'s| thing| stuff)?")


def scan(sentence: str, people: tuple[str, ...]) -> tuple[str, list[Mention]]:
    """(template, mentions) of one normalised sentence; slot ``@k`` stands for ``mentions[k]``."""
    table = _lexicon()
    mentions: list[Mention] = []

    def slot(match: re.Match[str]) -> str:
        if match["entity"]:
            cls = classes.class_of(match["entity"])
            if cls not in classes.CLASSES:
                return match[0]
            mention = Mention(match["entity"], (cls,))
        elif match["person"]:
            if match["poss"]:
                return "his"  # "bob's keys": whose it is does not matter, which it is does
            mention = Mention(match["person"], (), next(p for p in people if p.lower() == match["person"]))
        else:
            det = match["det"] or ""
            head, room = _head(match["noun"], table)
            mention = Mention(match[0], head, None, room, _ORDINALS.get(match["ord"] or "", 0), det in _OTHER, det not in INDEFINITE,
                              number=int(match["num"] or 0))
        mentions.append(mention)
        return f"@{len(mentions) - 1}"

    template = _scanner(people).sub(slot, sentence)
    return _fold_rooms(_fold_nearest(_fold_doubt(template, mentions), mentions), mentions), mentions


def _head(noun: str, table: dict[str, tuple[str, ...]]) -> tuple[tuple[str, ...], str | None]:
    """The classes of a (possibly compound) noun, and the room class its first part names ("living room cabinet")."""
    if noun in table:
        return table[noun], None
    words = noun.split()
    for cut in range(1, len(words)):
        first, rest = " ".join(words[:cut]), " ".join(words[cut:])
        if first in table and rest in table:
            room = table[first][0] if classes.get(table[first][0]).kind is classes.Kind.ROOM else None
            return table[rest], room
    last = next(" ".join(words[i:]) for i in range(len(words)) if " ".join(words[i:]) in table)
    return table[last], None


def _fold_doubt(template: str, mentions: list[Mention]) -> str:
    """``"@1 or @2"``, loose things and the second without an article, becomes ``"@1"``, which may as well be the other."""
    def doubted(match: re.Match[str]) -> str:
        k, other = int(match[1]), int(match[2])
        one, two = mentions[k], mentions[other]
        if not one.definite or one.kind is not classes.Kind.OBJECT or two.kind is not classes.Kind.OBJECT or _lexicon().get(two.words) is None:
            return match[0]
        mentions[k] = replace(one, or_else=two.classes)
        return f"@{k}"

    return re.sub(r"@(\d+) or @(\d+)", doubted, template)


def _fold_nearest(template: str, mentions: list[Mention]) -> str:
    """``"@1 second nearest @2"``, both of them furniture, becomes ``"@1"``, told by what it stands near."""
    def told(match: re.Match[str]) -> str:
        k, other = int(match[1]), int(match[3])
        if not all(m.classes and classes.get(m.classes[0]).is_place for m in (mentions[k], mentions[other])):
            return match[0]
        mentions[k] = replace(mentions[k], nearest=mentions[other].classes, count=_ORDINALS.get(match[2] or "", 1))
        return f"@{k}"

    return re.sub(r"@(\d+),? (?:(?:the )?(second|third|fourth) )?(?:nearest|closest) (?:to )?@(\d+)", told, template)


_PREPOSITION = r"(?:in|inside|on|at|of|from|over in|over on|by|into|onto|under|near|next to|behind)"


def _fold_rooms(template: str, mentions: list[Mention]) -> str:
    """``"@1 in @2"`` with @2 a room becomes ``"@1"`` in that room, and so does ``"in @2 on @1"``."""
    def is_room(k: int) -> bool:
        return mentions[k].kind is classes.Kind.ROOM

    def is_place(k: int) -> bool:
        return bool(mentions[k].classes) and classes.get(mentions[k].classes[0]).is_place

    def before(match: re.Match[str]) -> str:
        room, k = int(match[1]), int(match[3])
        if is_place(k) and is_room(room):
            mentions[k] = replace(mentions[k], room=mentions[room].classes[0], room_ordinal=mentions[room].ordinal)
            return f"{match[2]} @{k}"
        return match[0]

    for k in range(len(mentions) - 1):
        if is_place(k) and is_room(k + 1):
            shorter = re.sub(rf"@{k},? (?:that is |which is |over )?(?:in|of|from|inside|at) @{k + 1}\b", f"@{k}", template)
            if shorter != template:
                template, mentions[k] = shorter, replace(mentions[k], room=mentions[k + 1].classes[0], room_ordinal=mentions[k + 1].ordinal)
    return re.sub(rf"(?:in|over in|inside|at) @(\d+),? ({_PREPOSITION}) @(\d+)", before, template)


_CORRECTION = re.compile(r"[,.;]? *(?:\b(?:no,? wait|wait,? no|i mean|no,? sorry|sorry|or rather|correction|scratch that|no,? actually)\b),? ?")
_CLAUSE = re.compile(r"(?:, (?:and|but|so|because|though|although|while|as) |, (?=(?:it|they|i(?! (?:think|believe|guess|suppose|reckon)\b)|you"
                     r"|there|that|where|can|could|do|does|did|have you|has|any idea|is|are|would you|will you) )"
                     r"| but | because | and (?=(?:another|one|the other)(?: one)? (?:in|on|inside|at|under) )| and (?=(?:it|they|i|you|there"
                     r"|@\d+) (?:is|are|was|were|will|can|am|have|saw|found|put|has|should|must) ))")
_CALLED = re.compile(r"^@(\d+)(?:, | (?=(?:please|could|can|would|will|where|do|have|bring|get|fetch|stop) ))|, @(\d+)$")


def clauses_of(text: str, people: Iterable[str]) -> list[Clause]:
    """The clauses of an utterance in order; whoever was called by name, fillers and empty clauses removed."""
    names = tuple(sorted(people))
    out: list[Clause] = []
    for sentence, mark in re.findall(r"([^.?!;:\n]+)([.?!;:\n]*)", normalise(text)):
        for n, part in enumerate(_CORRECTION.split(sentence)):
            template, mentions = scan(_strip(part), names)
            template = _strip(_CALLED.sub(lambda m: "" if mentions[int(m[1] or m[2])].person else m[0], template))
            pieces = [p for p in map(_strip, _CLAUSE.split(template)) if p]
            for k, piece in enumerate(pieces):
                plain = re.sub(r"@(\d+)", lambda m: mentions[int(m[1])].words, piece)
                asked = "?" in mark and k == len(pieces) - 1
                out.append(Clause(piece, plain, tuple(mentions), asked, corrects=n > 0))
    return out


def _strip(text: str) -> str:
    """Without opening fillers and polite tails; a clause that is nothing else stays as it is."""
    while True:
        shorter = _TAILS.sub("", _FILLERS.sub("", text.strip(" ,"))).strip(" ,")
        if shorter in ("", text):
            return text.strip(" ,")
        text = shorter
