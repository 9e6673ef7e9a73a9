"""Text to tagged words: sentences, tokens with their characters, and the longest known phrase at each point.

Linear in the length of the text. Punctuation variants (curly quotes, dashes, bullets) become plain ones of the same length, so that
spans hold in the original text.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from mind.reading.lexicon import corrected, phrases, vocabulary
from mind.reading.terms import Entry, Tag

_PLAIN = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": ",", "—": ",", "•": " ", "\u00a0": " ", "*": " ", "_": " "})
_TOKEN = re.compile(r"#?\d+(?:st|nd|rd|th)?|[^\W\d_]+(?:'[^\W\d_]+)*|[,;:.!?()&/]|\n")
_ABBREVIATION = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|St)\.$")
_WORD, _COMMA, _POSSESSIVE = Entry(Tag.WORD), Entry(Tag.COMMA), Entry(Tag.SKIP, "'s")
_MARKS = {",": _COMMA, ")": _COMMA, "/": _COMMA, "(": Entry(Tag.WITH, "("), ":": Entry(Tag.WITH, ":")}  # "fridge (two apples)"
_ENDS = frozenset(".!?;\n")
_CONTRACTIONS = {"there's": ("there", "is"), "there're": ("there", "are"), "it's": ("it", "is"), "he's": ("he", "is"), "she's": ("she", "is"),
                 "they're": ("they", "are"), "that's": ("that", "is"), "what's": ("what", "is"), "here's": ("here", "is"), "that'll": ("that", "will")}


class Word(NamedTuple):
    """One unit: a word or a fixed phrase. ``low``: its lower-case text; ``start``/``end``: characters in the text read."""

    low: str
    start: int
    end: int
    entry: Entry
    capital: bool = False

    @property
    def tag(self) -> Tag:
        return self.entry.tag


def _raw(text: str, names: frozenset[str] = frozenset()) -> list[tuple[str, int, int, bool]]:
    """(lower-case word, start, end, capital). Misspelt words are put right here, but for names within a sentence."""
    out: list[tuple[str, int, int, bool]] = []
    known, begins = vocabulary(), True
    for m in _TOKEN.finditer(text):
        word = m[0]
        low, capital = word.lower(), word[0].isupper()
        if low not in known:
            if "'" in low:
                if low in _CONTRACTIONS:
                    a, b = _CONTRACTIONS[low]
                    out += [(a, m.start(), m.start() + len(a), capital), (b, m.start() + len(a), m.end(), False)]
                    continue
                if low.endswith("'s"):
                    out += [(low[:-2], m.start(), m.end() - 2, capital), ("'s", m.end() - 2, m.end(), False)]
                    continue
            if low not in names and (begins or not capital):
                low = corrected(low)
        out.append((low, m.start(), m.end(), capital))
        begins = low in _ENDS
    return out


def sentences(text: str, names: tuple[str, ...] = ()) -> list[list[Word]]:
    """Tagged sentences. ``names``: words that are people's names here, whatever else they may mean ("Mark", "Rose")."""
    plain = text.translate(_PLAIN)
    people = {tuple(m[0].lower() for m in _TOKEN.finditer(n.translate(_PLAIN))): Entry(Tag.PERSON, n) for n in names if n.strip()}
    raw = _raw(plain, frozenset(w for key in people for w in key))
    known = phrases()
    out: list[list[Word]] = []
    sentence: list[Word] = []
    i = 0
    while i < len(raw):
        low, start, end, capital = raw[i]
        if low in _ENDS:
            if low == "." and _ABBREVIATION.search(plain[max(0, start - 5):end]):
                i += 1
                continue
            if sentence and (low != "\n" or _paragraph_end(sentence)):
                out.append(sentence)
                sentence = []
            i += 1
            continue
        if low in _MARKS:
            sentence.append(Word(low, start, end, _MARKS[low]))
            i += 1
            continue
        matched = _name(raw, i, people) if capital and people else None
        matched = matched or _longest(raw, i, known.get(low))
        if matched is None:
            sentence.append(Word(low, start, end, _POSSESSIVE if low == "'s" else _WORD, capital))
            i += 1
            continue
        n, entry = matched
        sentence.append(Word(low if n == 1 else " ".join(r[0] for r in raw[i:i + n]), start, raw[i + n - 1][2], entry, capital))
        i += n
    if sentence:
        out.append(sentence)
    return out


def _name(raw: list, i: int, people: dict[tuple[str, ...], Entry]) -> tuple[int, Entry] | None:
    for key, entry in people.items():
        if tuple(r[0] for r in raw[i:i + len(key)]) == key:
            return len(key), entry
    return None


def _longest(raw: list, i: int, rows) -> tuple[int, Entry] | None:
    """The longest known phrase that begins here: its number of words and its meaning."""
    for key, entry in rows or ():
        n = len(key)
        if n == 1 or (i + n <= len(raw) and raw[i + 1][0] == key[1] and all(raw[i + k][0] == key[k] for k in range(2, n))):
            return n, entry
    return None


def _paragraph_end(sentence: list[Word]) -> bool:
    """A line break ends a sentence unless the line visibly goes on (a comma, "and", or a determiner is waiting)."""
    return sentence[-1].tag not in (Tag.COMMA, Tag.AND, Tag.DEFINITE, Tag.INDEFINITE, Tag.PREP, Tag.TOWARDS) or sentence[-1].low == ":"
