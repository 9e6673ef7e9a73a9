"""Text to tagged words: sentences, tokens with their characters, and the longest known phrase at each point.

Linear in the length of the text. Punctuation variants (curly quotes, dashes, bullets) become plain ones of the same length, so that
spans hold in the original text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mind.reading.lexicon import Entry, Tag, corrected, phrases

_PLAIN = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": ",", "—": ",", "•": " ", "\u00a0": " ", "*": " ", "_": " "})
_TOKEN = re.compile(r"#?\d+(?:st|nd|rd|th)?|[^\W\d_]+(?:'[^\W\d_]+)*|[,;:.!?()&/]|\n")
_ABBREVIATION = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|St)\.$")
_CONTRACTIONS = {"there's": ("there", "is"), "there're": ("there", "are"), "it's": ("it", "is"), "he's": ("he", "is"), "she's": ("she", "is"),
                 "they're": ("they", "are"), "that's": ("that", "is"), "what's": ("what", "is"), "here's": ("here", "is"), "that'll": ("that", "will")}


@dataclass(frozen=True, slots=True)
class Word:
    """One unit: a word or a fixed phrase. ``low``: its lower-case text; ``start``/``end``: characters in the text read."""

    low: str
    start: int
    end: int
    entry: Entry
    capital: bool = False

    @property
    def tag(self) -> Tag:
        return self.entry.tag


def _raw(text: str) -> list[tuple[str, int, int, bool]]:
    out = []
    for m in _TOKEN.finditer(text):
        word = m[0]
        low = word.lower()
        if "'" in low:
            if low in _CONTRACTIONS:
                a, b = _CONTRACTIONS[low]
                out += [(a, m.start(), m.start() + len(a), word[0].isupper()), (b, m.start() + len(a), m.end(), False)]
                continue
            if low.endswith("'s") and len(low) > 2:
                out += [(low[:-2], m.start(), m.end() - 2, word[0].isupper()), ("'s", m.end() - 2, m.end(), False)]
                continue
        out.append((low, m.start(), m.end(), word[0].isupper()))
    return out


_WORD, _STOP, _COMMA, _POSSESSIVE = Entry(Tag.WORD), Entry(Tag.STOP), Entry(Tag.COMMA), Entry(Tag.SKIP, "'s")


def sentences(text: str, names: tuple[str, ...] = ()) -> list[list[Word]]:
    """Tagged sentences. ``names``: words that are people's names here, whatever else they may mean ("Mark", "Rose")."""
    plain = text.translate(_PLAIN)
    raw = _raw(plain)
    known = phrases()
    people = {tuple(n.lower().split()): Entry(Tag.PERSON, n) for n in names if n.strip()}
    out: list[list[Word]] = []
    sentence: list[Word] = []
    i = 0
    while i < len(raw):
        low, start, end, capital = raw[i]
        if low in (".", "!", "?", ";", "\n"):
            if low == "." and _ABBREVIATION.search(plain[max(0, start - 5):end]):
                i += 1
                continue
            if sentence and (low != "\n" or _paragraph_end(sentence)):
                out.append(sentence)
                sentence = []
            i += 1
            continue
        if low in (",", ":", "(", ")", "/"):
            sentence.append(Word(low, start, end, _COMMA))
            i += 1
            continue
        matched = None
        if capital and people:
            for key, entry in people.items():
                if tuple(r[0] for r in raw[i:i + len(key)]) == key:
                    matched = (key, entry)
                    break
        if matched is None:
            matched = _longest(raw, i, known)
        if matched is None:
            if low == "'s":
                sentence.append(Word(low, start, end, _POSSESSIVE))
            else:
                fixed = corrected(low) if not (capital and sentence) else low
                if fixed != low:
                    raw[i] = (fixed, start, end, capital)
                    matched = _longest(raw, i, known)
                if matched is None:
                    sentence.append(Word(low, start, end, _WORD, capital))
            if matched is None:
                i += 1
                continue
        key, entry = matched
        sentence.append(Word(" ".join(key), start, raw[i + len(key) - 1][2], entry, capital))
        i += len(key)
    if sentence:
        out.append(sentence)
    return out


def _longest(raw: list, i: int, known) -> tuple[tuple[str, ...], Entry] | None:
    rows = known.get(raw[i][0])
    if not rows:
        return None
    for key, entry in rows:
        n = len(key)
        if n == 1:
            return key, entry
        if i + n <= len(raw) and all((raw[i + k][0] == key[k] or corrected(raw[i + k][0]) == key[k]) for k in range(1, n)):
            return key, entry
    return None


def _paragraph_end(sentence: list[Word]) -> bool:
    """A line break ends a sentence unless the line visibly goes on (a comma, "and", or a determiner is waiting)."""
    return sentence[-1].tag not in (Tag.COMMA, Tag.AND, Tag.DEFINITE, Tag.INDEFINITE, Tag.PREP, Tag.TOWARDS) or sentence[-1].low == ":"
