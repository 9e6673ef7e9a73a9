"""All phrases the reader knows in one table, and what a misspelt word most likely was.

In a description of a home the verb hardly matters ("the fridge boasts a plate"), so unknown words between a place and a thing are taken for one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from mind.reading.closed_words import PLAIN, closed_words
from mind.reading.nouns import nouns
from mind.reading.terms import Entry, Tag
from mind.reading.verbs import verbs

Trie = Mapping[str, tuple[tuple[tuple[str, ...], Entry], ...]]


@lru_cache(maxsize=1)
def phrases() -> Trie:
    """First word → ((words, entry), …), longest first; built once. Later sources do not replace earlier ones."""
    table: dict[tuple[str, ...], Entry] = {}
    for source in (verbs(), closed_words(), nouns()):
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
    return frozenset(w for rows in phrases().values() for key, _ in rows for w in key) | frozenset(PLAIN)


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
