"""The words the reader knows: nouns from ``household.classes`` plus what other writers call the same things, and verbs by what they do.

Only verbs whose meaning changes a symbol are listed; in a description of a home the verb hardly matters ("the fridge boasts a plate"),
so unknown words between a place and a thing are taken for one. Invariant: every noun phrase maps to one class id (tested).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from household import classes
from household.classes import Kind


class Tag(str, Enum):
    """Part of speech and meaning of a word or fixed phrase."""

    ROOM = "room"
    PLACE = "place"
    OBJECT = "object"
    NOTHING = "nothing"  # nothing, no items
    PERSON = "person"
    DEFINITE = "definite"
    INDEFINITE = "indefinite"
    ANOTHER = "another"
    NUMBER = "number"
    ORDINAL = "ordinal"
    ONE_OF = "one_of"
    OTHER_ONE = "other_one"  # "other"
    EVERY = "every"  # all, each of, both of
    MEASURE = "measure"  # piece of, pair of
    PRONOUN = "pronoun"  # it, them, each one, both
    HERE = "here"  # there (as a place), inside, on it
    WHICH = "which"
    AND = "and"
    BUT = "but"  # while, whereas: a new clause
    COMMA = "comma"
    STOP = "stop"
    WITH = "with"
    WITHOUT = "without"
    PREP = "prep"  # in, on: where a thing is
    TOWARDS = "towards"  # to, towards, into
    FROM = "from"
    PAST = "past"
    EXIST = "exist"  # there is, you will find
    BE = "be"
    EMPTY = "empty"
    NOT = "not"
    EACH = "each"
    RESPECTIVELY = "respectively"
    EXCEPT = "except"
    AS = "as"
    LEFT = "left"  # from left to right
    RIGHT = "right"  # from the right
    SKIP = "skip"  # adverbs
    BEFORE = "before"
    AFTER = "after"
    ABOUT = "about"  # about to, preparing to
    FOLLOWED = "followed"  # followed by
    REPEAT = "repeat"
    STEP = "step"  # his next stop
    VERB = "verb"
    THINK = "think"
    WANT = "want"
    WORD = "word"  # anything else


class Act(str, Enum):
    MOVE = "move"
    OPEN = "open"
    CLOSE = "close"
    PICK = "pick"
    PUT = "put"
    LEAVE = "leave"
    PASS = "pass"
    LOOK = "look"
    HANDLE = "handle"  # interacts with, turns his attention to
    ON = "switch on"
    OFF = "switch off"


class Form(str, Enum):
    FINITE = "finite"
    GERUND = "gerund"
    PARTICIPLE = "participle"


@dataclass(frozen=True)
class Entry:
    """One meaning. ``value``: class id, number, Act… ``plural``; ``form`` for verbs."""

    tag: Tag
    value: object = None
    plural: bool = False
    form: Form | None = None


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
    "kitchentable": ("kitchentable",), "tv": ("tv set",),
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


def _nouns() -> Iterator[tuple[str, Entry]]:
    generic = {"cabinet", "cupboard", "table"}
    for row in classes.CLASSES.values():
        tag = _KINDS.get(row.kind)
        if tag is None:
            if row.kind not in (Kind.OBJECT, Kind.DEVICE, Kind.OBSTACLE):
                continue
            tag = Tag.OBJECT
        words = [w for w in (*row.words, *_MORE_NOUNS.get(row.id, ())) if w not in generic]
        if row.id not in ("glasses", "keys", "cabinet"):
            words.append(row.id)
        for word in words:
            for plural in _plurals(word):
                yield plural, Entry(tag, row.id, plural=True)
        if row.plural:
            yield row.plural, Entry(tag, row.id, plural=True)
        for word in words:
            yield word, Entry(tag, row.id)
    for family in (ANY_CABINET, ANY_TABLE):
        for word in _MORE_NOUNS[family]:
            yield word, Entry(Tag.PLACE, family)
            for plural in _plurals(word):
                yield plural, Entry(Tag.PLACE, family, plural=True)


# --- verbs: base forms by meaning; irregular past and participle given as base/past/participle
_VERBS: Mapping[Act, str] = {
    Act.MOVE: "walk walktowards walktoward stride proceed head move go/went/gone advance approach near navigate return march stroll wander step run/ran/run rush "
              "hurry dash jog travel journey transition visit reach enter arrive cross come/came/come pace saunter amble progress venture "
              "trot hasten continue retrace relocate cruise trek traipse tiptoe shuffle roam stop revisit pad drift hike migrate retreat "
              "backtrack make/made/made find/found/found set/set/set start begin/began/begun carry direct turn swing/swung/swung "
              "steer wheel pop nip draw/drew/drawn",
    Act.OPEN: "open unlatch unseal reopen",
    Act.CLOSE: "close shut/shut/shut seal reclose slam latch",
    Act.PICK: "grab pick fetch retrieve seize snatch collect lift grasp obtain remove withdraw/withdrew/withdrawn take/took/taken get/got/got",
    Act.PUT: "put/put/put place deposit drop lay/laid/laid bring/brought/brought",
    Act.LEAVE: "leave/left/left exit depart abandon quit",
    Act.PASS: "pass bypass ignore skip",
    Act.LOOK: "look/looked/looked peer glance inspect check examine search rummage survey scan peek",
    Act.HANDLE: "interact",
}
_WEAK_MOVES = {"make", "find", "set", "start", "begin", "carry", "direct", "turn", "swing", "steer", "wheel", "stop", "draw",
               "continue", "pop", "nip"}
_VERB_PHRASES: Mapping[str, tuple[Act, Form]] = {}


def _forms(spec: str) -> Iterator[tuple[str, Form]]:
    base, *irregular = spec.split("/")
    yield base, Form.FINITE
    if base.endswith(("s", "x", "ch", "sh", "ss")) or base in ("go", "do"):
        yield base + "es", Form.FINITE
    elif base.endswith("y") and base[-2] not in "aeiou":
        yield base[:-1] + "ies", Form.FINITE
    else:
        yield base + "s", Form.FINITE
    doubles = base in ("shut", "grab", "step", "put", "run", "slam", "stop", "drop", "set", "begin", "get", "jog", "trot", "skip", "pop",
                       "pad", "scan", "nip", "snap")
    stem = base[:-1] if base.endswith("e") and not base.endswith(("ee", "oe")) else base + (base[-1] if doubles else "")
    yield stem + "ing", Form.GERUND
    if irregular:
        yield irregular[0], Form.FINITE
        yield irregular[-1], Form.PARTICIPLE
    else:
        yield (base[:-1] + "ied" if base.endswith("y") and base[-2] not in "aeiou" else stem + "ed"), Form.PARTICIPLE


def _verbs() -> Iterator[tuple[str, Entry]]:
    for act, specs in _VERBS.items():
        for spec in specs.split():
            for word, form in _forms(spec):
                yield word, Entry(Tag.VERB, act, plural=spec.split("/")[0] in _WEAK_MOVES, form=form)
    families = {  # phrases whose first word is inflected
        Act.CLOSE: ("secure/- it shut", "secure/- it closed", "secure/- it", "push/- it shut", "push/- it closed", "swing/swung it shut",
                    "swing/swung it closed", "pull/- it shut", "pull/- it closed", "press/- it shut", "slide/slid it shut", "secure/-",
                    "push/- shut", "pull/- shut", "swing/swung shut"),
        Act.OPEN: ("pull/- it open", "swing/swung it open", "slide/slid it open", "push/- it open", "pull/- open", "swing/swung open",
                   "slide/slid open", "push/- open", "look/- inside", "look/- into", "peer/- into", "peer/- inside", "peek/- into",
                   "peek/- inside", "throw/threw open"),
        Act.PICK: ("pick/- up", "pick/- it up", "take/took out", "take/took hold of", "get/got hold of", "lift/- out", "pull/- out",
                   "help/- himself to", "help/- herself to"),
        Act.PUT: ("put/put down", "set/set down", "lay/laid down", "put/put back", "place/- back"),
        Act.MOVE: ("make/made his way", "make/made her way", "make/made their way", "make/made its way", "make/made a beeline", "come/came up",
                   "head/- over", "go/went over", "walk/- over", "walk/- up", "go/went up", "set/set off", "set/set out", "find/found his way",
                   "find/found her way", "find/found their way", "retrace/- his steps", "retrace/- her steps", "retrace/- their steps",
                   "continue/- his journey", "continue/- her journey", "continue/- their journey", "come/came back", "double/- back",
                   "turn/- back", "take/took a few steps", "cross/- over", "turn/- his attention", "turn/- her attention",
                   "turn/- their attention", "shift/- his attention", "shift/- her attention", "shift/- their attention"),
        Act.PASS: ("walk/- past", "go/went past", "walk/- by", "pass/- by", "move/- past", "head/- past", "walk/- through", "go/went through",
                   "pass/- through"),
        Act.LOOK: ("look/- around", "look/- about", "look/- round"),
        Act.ON: ("turn/- on", "switch/- on"), Act.OFF: ("turn/- off", "switch/- off"),
    }
    for act, phrases in families.items():
        for phrase in phrases:
            first, rest = phrase.split(" ", 1) if " " in phrase else (phrase, "")
            base, past = first.split("/")
            for word, form in _forms(base if past == "-" else f"{base}/{past}/{past}"):
                yield f"{word} {rest}".strip(), Entry(Tag.VERB, act, form=form)
            if past != "-" and base in ("take", "go", "come"):
                yield f"{ {'take': 'taken', 'go': 'gone', 'come': 'come'}[base]} {rest}", Entry(Tag.VERB, act, form=Form.PARTICIPLE)


_CARDINALS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"
_ORDINALS = ("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth "
             "seventeenth eighteenth nineteenth twentieth")
LAST = -1  # value of "last", "rightmost"

_CLOSED: Mapping[Tag, str] = {  # phrases separated by "|"
    Tag.DEFINITE: "the|this|that|these|those|its|his|her|their",
    Tag.INDEFINITE: "a|an|some|a single|a lone|a solitary|just a|only a|only an|just one|only one|a single one of",
    Tag.ANOTHER: "another|one more|an additional|a further|a second one of",
    Tag.ONE_OF: "one of the|one of|one of these|one of those|either of the",
    Tag.OTHER_ONE: "other|remaining",
    Tag.EVERY: "all of the|all the|all|each of the|both of the|both the|every|every one of the|the two of the",
    Tag.MEASURE: "piece of|pieces of|slice of|slices of|fillet of|portion of|pair of|couple of|copy of|copies of",
    Tag.PRONOUN: "it|them|each one|each of them|both of them|both|each|ones|each of these|every one|all of them|each one of them|the same|itself",
    Tag.HERE: "inside it|in it|on it|on them|in them|inside them|within it|on top of it|on top|there|therein|atop it|upon it|on its surface",
    Tag.WHICH: "which|that|whose|where",
    Tag.AND: "and|or|plus|along with|together with|alongside|as well as|in addition to|accompanied by|besides|then|and then|nor|with also|&",
    Tag.BUT: "while|whereas|whilst|but|although|though|yet|and yet",
    Tag.WITH: "with",
    Tag.WITHOUT: "without|instead of|rather than",
    Tag.PREP: "in|inside|inside of|within|on|on top of|upon|atop|at|onto|in the interior of|on the surface of",
    Tag.TOWARDS: "to|towards|toward|into|in the direction of|up to|over to|back to|for|back into|over towards|back towards|back toward|"
                 "by way of|back for",
    Tag.FROM: "from|out of|away from|off|outside of",
    Tag.PAST: "past|through|around|round|about|across|by|near|next to|beside|in front of|beyond|over|along|behind|throughout",
    Tag.EXIST: "there is|there are|there's|there're|there was|there were|there sits|there lies|there stands|there lie|there sit|there exists|"
               "you'll find|you will find|you can find|one finds|one can find|you find|we find|one will find|you'll see|you will see|we see|"
               "there is also|there are also|there's also|there can be found|there remains|there remain",
    Tag.BE: "is|are|was|were|be|been|being|has been|have been|'re",
    Tag.EMPTY: "empty|bare|vacant|unoccupied|barren|devoid of items|devoid of anything|completely clear|emptied|without contents|unfilled|clear",
    Tag.NOT: "not|n't|isn't|aren't|doesn't|don't|no longer|never|cannot|can't|hasn't|haven't|didn't|wasn't|weren't|neither|won't|no|"
             "nobody|lacks|lack|lacking|is missing",
    Tag.NOTHING: "nothing|nothing else|nothing at all|anything|no items|no objects|no things|any items|any objects|any thing|no contents|"
                 "not a thing",
    Tag.EACH: "each contain|each hold|in turn|in succession|one after another|one after the other|one by one|successively|consecutively|"
              "sequentially|individually|apiece|in sequence",
    Tag.RESPECTIVELY: "respectively|in that order|in the same order",
    Tag.EXCEPT: "except|except for|apart from|aside from|other than|with the exception of|save for|bar",
    Tag.AS: "as|so",
    Tag.LEFT: "from left to right|from the left|from left|counting from the left|counted from the left|counting from left to right|"
              "numbered from left to right|starting from the left|on the left|when counting from the left|from the left to the right|"
              "from the left side|left to right|reading from left to right|counting left to right|viewed from the left",
    Tag.RIGHT: "from the right|from right|from right to left|counting from the right|counted from the right|from the right side",
    Tag.BEFORE: "before|prior to",
    Tag.AFTER: "after|upon|having|once|on",
    Tag.ABOUT: "about to|preparing to|prepares to|prepared to|prepare to|poised to|ready to|on the verge of|on the brink of|on the point of|"
               "getting ready to|gets ready to|set to|intending to|intends to|going to|readying to|with the intention of|planning to|plans to|"
               "reaching to|reaches to|reaching out to|reaches out to|readies himself to|readies herself to|readying himself to|"
               "readying herself to|prepares for|preparing for|with the intent to|with the aim of|aiming to|aims to|looks set to|"
               "just about to|wants to|moments away from|seconds away from|reaches for the handle to|in order to|so as to|as if to|"
               "ready for|intent on|with a view to|on the cusp of|attempting to|attempts to|tries to|trying to",
    Tag.FOLLOWED: "followed by|next comes|next came|next up is",
    Tag.REPEAT: "repeats|repeating|repeated|repeat|does the same|doing the same|did the same|do the same|does likewise|doing likewise|"
                "did likewise|do likewise|continues this pattern|continues the pattern|continues her pattern|continues his pattern|"
                "continues their pattern|continuing this pattern|continuing the pattern|follows the same|following the same|followed the same|"
                "does exactly the same|gives the same treatment|treats|follows suit|following suit|in the same way|in the same manner|"
                "performs the same|performing the same|performed the same|carries out the same|carrying out the same|likewise for|"
                "does so again|does this again|does it again|continues with|goes on to do the same|the same goes for|continues in this way|"
                "continues in the same way|continues the same routine|continues the same process|continues this process|continues this routine",
    Tag.STEP: "next destination|next stop|last action|final action|last destination|final destination|next action|first stop|last stop|"
              "final stop|destination|next target|first action|first destination|next port of call|next move|last move|final move|path|route",
    Tag.THINK: "thinks|think|believes|believe|thought|believed|supposes|assumes|expects|suspects|knows|is convinced|is sure|is certain|feels|"
               "reckons|figures|considers|imagines|is confident|is aware|is under the impression|find out|finds out|found out|learn|learns|learned|"
               "learnt|discover|discovers|discovered|realise|realises|realised|realize|realizes|realized|come to know|comes to know|"
               "came to know|know|knew",
    Tag.WANT: "trying to get|looking for|searching for|wants|want|wanted|seeking|seeks|hoping to get|after getting|trying to find|needs|"
              "trying to fetch|looking to get|in search of|hunting for|in need of|trying to obtain|wanting|wants to get|wants to find|"
              "trying to grab|trying to pick up|trying to retrieve|hoping to find|aims to get|goal is to get|goal is|attempting to get|"
              "attempting to find|intends to get|looks for|searches for|has been after|is after|on the hunt for|trying to reach|"
              "trying to collect|trying to take|trying to locate|hopes to get|hopes to find|would like|desires|is hunting",
}
_SKIP = ("also|room|rooms|however|meanwhile|on the other hand|currently|now|just|only|simply|finally|lastly|subsequently|afterward|afterwards|next|promptly|securely|firmly|shortly|"
         "immediately|again|once more|once again|back|first of all|initially|as well|too|additionally|furthermore|moreover|similarly|"
         "still|quickly|slowly|gently|carefully|directly|straight|likewise|briskly|eventually|later|soon|thereafter|quietly|casually|"
         "following this|following that|after that|after this|after which|at last|in the end|at the end|this time|altogether|in total|"
         "only to|in order|as follows|at the moment|at present|presently|right now|all|completely|entirely|totally|otherwise|"
         "at the start|to start with|to begin with|at first|from there|soon after|right after|shortly after|moments later|right away|"
         "once there|when there|once inside|of course|in addition|besides that|for its part|on the other side|over there|here|straightaway|"
         "without delay|without hesitation|takes a moment|pauses|pauses briefly|neatly|merely|instead|equally|to conclude|to finish|"
         "last of all|second of all|in the meantime|up|down|over|in there|right|both of which|all of which|"
         "from this point|at this point|then again|purposefully|confidently|calmly|deliberately|hastily|swiftly|leisurely|on his way|"
         "on her way|on their way|on the way|her way|his way|their way|of these|of them|of which")
_PLAIN = ("places placed placing rests rest lies lie walls wall cooks cooking baking houses holds stores stocks shows items item "
          "apartment house flat home consists comprises includes contains furnished equipped fitted featured features side stands inside "
          "stored storing sits sitting seen store stock share sale scene state states actions action person question statement likely more "
          "true process pattern sequence steps same order time other spare space small large wooden white black brown red green blue round "
          "floor door doors handle while these those have has had having who whom what when will would could should its can some such "
          "living bath dining cabin cable cabinetry shell shelf plane plates leave leaves leaving contents content situated located "
          "topped laden adorned decorated occupied moments course stories keeping keeps kept total totals placing chilling housing "
          "holding containing boasting boasts sporting sports bearing bears carrying carries displaying displays featuring mind minds take "
          "taken taking nothing anything everything something none every early mark marks grace rose will bill jack penny "
          "activities exploration round rounds search journey way interacts engages single lone solitary neat tidy closed closing "
          "open opened further next right left").split()


def _closed_words() -> Iterator[tuple[str, Entry]]:
    for n, word in enumerate(_CARDINALS.split()):
        yield word, Entry(Tag.NUMBER, n)
        yield str(n), Entry(Tag.NUMBER, n)
    yield "several", Entry(Tag.NUMBER, 3)
    for n, word in enumerate(_ORDINALS.split(), 1):
        yield word, Entry(Tag.ORDINAL, n)
        yield f"{n}{'th' if 10 <= n % 100 <= 20 else {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')}", Entry(Tag.ORDINAL, n)
    for word in ("last", "rightmost", "right most", "far right"):
        yield word, Entry(Tag.ORDINAL, LAST)
    for word in ("leftmost", "left most", "far left"):
        yield word, Entry(Tag.ORDINAL, 1)
    for word in ("he", "she", "they", "him", "himself", "herself", "person", "man", "woman", "resident", "child", "girl", "boy", "i", "we"):
        yield word, Entry(Tag.PERSON)
    for word in _SKIP.split("|"):
        yield word, Entry(Tag.SKIP)
    for tag, phrases in _CLOSED.items():
        for phrase in phrases.split("|"):
            yield phrase, Entry(tag, phrase, plural=phrase in ("are", "were", "there are", "have been"))


Trie = Mapping[str, tuple[tuple[tuple[str, ...], Entry], ...]]


@lru_cache(maxsize=1)
def phrases() -> Trie:
    """First word → ((words, entry), …), longest first; built once. Later sources do not replace earlier ones."""
    table: dict[tuple[str, ...], Entry] = {}
    for source in (_verbs(), _closed_words(), _nouns()):
        for phrase, entry in source:
            key = tuple(phrase.split())
            if entry.tag in (Tag.ROOM, Tag.PLACE, Tag.OBJECT) or key not in table:
                if key in table and table[key].tag in (Tag.ROOM, Tag.PLACE, Tag.OBJECT) and table[key].value != entry.value:
                    continue
                table[key] = entry
    by_first: dict[str, list] = {}
    for key, entry in table.items():
        by_first.setdefault(key[0], []).append((key, entry))
    return {first: tuple(sorted(rows, key=lambda r: -len(r[0]))) for first, rows in by_first.items()}


@lru_cache(maxsize=1)
def vocabulary() -> frozenset[str]:
    """Every single word that occurs in a phrase, and the plain words that must not be taken for a misspelling."""
    return frozenset(w for rows in phrases().values() for key, _ in rows for w in key) | frozenset(_PLAIN)


@lru_cache(maxsize=1)
def _correctable() -> Mapping[str, tuple[str, ...]]:
    """First letter → content words that a misspelling may stand for."""
    out: dict[str, list[str]] = {}
    for rows in phrases().values():
        for key, entry in rows:
            if entry.tag in (Tag.ROOM, Tag.PLACE, Tag.OBJECT, Tag.VERB, Tag.ORDINAL, Tag.NUMBER, Tag.TOWARDS, Tag.EMPTY,
                             Tag.RESPECTIVELY, Tag.BUT, Tag.ABOUT, Tag.THINK, Tag.PREP, Tag.ANOTHER):
                for word in key:
                    if len(word) >= 4 and word.isalpha():
                        out.setdefault(word[0], []).append(word)
    return {first: tuple(sorted(set(words))) for first, words in out.items()}


def _one_edit(a: str, b: str) -> bool:
    """Whether one insertion, deletion, replacement or swap of neighbours turns a into b."""
    if abs(len(a) - len(b)) > 1:
        return False
    i = 0
    while i < min(len(a), len(b)) and a[i] == b[i]:
        i += 1
    if len(a) == len(b):
        return a[i + 1:] == b[i + 1:] or (a[i + 2:] == b[i + 2:] and a[i:i + 2] == b[i:i + 2][::-1])
    longer, shorter = (a, b) if len(a) > len(b) else (b, a)
    return longer[i + 1:] == shorter[i:]


@lru_cache(maxsize=4096)
def corrected(word: str) -> str:
    """The known content word one edit away with the same first letter, if there is exactly one such class of reading; else the word."""
    if len(word) < 5 or not word.isalpha() or word in vocabulary():
        return word
    near = [w for w in _correctable().get(word[0], ()) if _one_edit(word, w)]
    return near[0] if near else word
