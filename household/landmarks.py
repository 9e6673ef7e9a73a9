"""Which of several like pieces of furniture is meant: people tell them apart by what stands near, not by numbers.

"the kitchen cabinet nearest the fridge", "the kitchen cabinet second nearest the fridge": of all pieces of the class, counted by their distance
from a landmark. A number would be the speaker's own; what stands next to what is the same for whoever knows the home.
Invariant: a landmark is of another class than the piece, and the count is the same for anybody whose measures are off by less than the margin.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from household import classes
from household.classes import Kind

MOST = 4  # nobody counts further than to the fourth
_FAR = 4.0  # m: what stands farther from its landmark than this is not said to be near it
_MARGIN = 0.12  # m by which the next in the count must be nearer or farther
_PER_SIZE = 0.15  # and by this share of the landmark's width: the middle of something wide is not seen to the centimetre
_ASIDE = 1.0  # m by which another landmark of the same name must be farther from all pieces in question
MOVED = frozenset({"chair", "stool", "bench", "box", "basket"})  # what stands elsewhere tomorrow is no landmark
COUNTS = ("", "second ", "third ", "fourth ")


@dataclass(frozen=True)
class Piece:
    """``position``: middle of its box in map, metres; ``width``: larger side of its footprint; ``room``: None where it is not known."""

    cls: str
    position: tuple[float, float, float]
    width: float = 0.0
    room: str | None = None


def counted(pieces: Mapping[str, Piece], ids: Iterable[str], landmark: str) -> list[tuple[float, str]]:
    """(metres, id) of those of ``ids`` in the landmark's room, nearest to it first."""
    mark = pieces[landmark]
    return sorted((math.dist(pieces[i].position, mark.position), i) for i in ids if pieces[i].room == mark.room)


def landmark_of(target: str, pieces: Mapping[str, Piece]) -> tuple[str, int] | None:
    """(landmark, how many-eth nearest to it the target is, from 1), the least count and then the clearest; None: nothing tells it apart."""
    cls = pieces[target].cls
    same = [i for i, p in pieces.items() if p.cls == cls]
    options = []
    for name, piece in pieces.items():
        if piece.room != pieces[target].room or not _is_landmark(piece, cls) or not _plain(name, pieces, same):
            continue
        order = counted(pieces, same, name)
        rank = [i for _, i in order].index(target)
        gaps = [order[k + 1][0] - order[k][0] for k in (rank - 1, rank) if 0 <= k < len(order) - 1]
        margin = min(gaps, default=math.inf) - _MARGIN - _PER_SIZE * piece.width
        if rank < MOST and margin > 0.0 and order[rank][0] <= _FAR:
            options.append((rank, -margin, name))
    return (min(options)[2], min(options)[0] + 1) if options else None


def _is_landmark(piece: Piece, cls: str) -> bool:
    return piece.cls != cls and piece.cls not in MOVED and classes.get(piece.cls).kind in (Kind.CONTAINER, Kind.SURFACE)


def _plain(landmark: str, pieces: Mapping[str, Piece], same: Sequence[str]) -> bool:
    """Whether the landmark's own class says which one it is, with what is told from it near."""
    alike = [i for i, p in pieces.items() if p.cls == pieces[landmark].cls]
    if len(alike) == 1:
        return True
    nearest = sorted((order[0][0], i) for i in alike if (order := counted(pieces, same, i)))
    return nearest[0][1] == landmark and (len(nearest) == 1 or nearest[1][0] - nearest[0][0] > _ASIDE)


def resolved(ids: Sequence[str], landmarks: Sequence[str], count: int, pieces: Mapping[str, Piece]) -> str | None:
    """The ``count``-th nearest of ``ids`` to the landmark that has one of them nearest; None: there are not so many."""
    orders = [order for name in landmarks if (order := counted(pieces, ids, name))]
    order = min(orders, default=[])
    return order[count - 1][1] if 1 <= count <= len(order) else None
