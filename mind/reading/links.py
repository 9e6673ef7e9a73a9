"""Which thing belongs to which place within one sentence.

The sentence is nodes (groups of places, groups of things) with the words between them (gaps). ``connect`` looks at each neighbouring
pair; a list of things claimed from both sides ("the fridge holds a plate, and a cup is in the stove") is split at its last conjunction.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from mind.reading.terms import Entry, Tag
from mind.reading.phrases import Det, Group, Item, Kind
from mind.reading.tokens import Word

_RELATIVE = Entry(Tag.WHICH)
TOPIC = Entry(Tag.ROOM, "topic")  # stands in a gap where a room was named


@dataclass(eq=False)
class Link:
    """A thing group belongs to ``place`` (None: the place last spoken of). ``first``/``last``: only so many of the group's items."""

    place: "Node | None"
    negated: bool = False
    last_only: bool = False
    respectively: bool = False
    first: int = 0
    last: int = 0
    each: bool = False  # said to hold for each of several places

    def items(self, node: "Node") -> tuple[Item, ...]:
        if self.first:
            return node.group.items[:self.first]
        if self.last:
            return node.group.items[-self.last:]
        return node.group.items


@dataclass(eq=False)
class Node:
    group: Group
    room: str | None = None
    pronoun: bool = False
    links: list[Link] = field(default_factory=list)
    linked: bool = False  # a place that a thing was linked to
    introduces: bool = False
    listed: bool = False  # a place listed as what a room has
    on_floor: bool = False


@dataclass
class Sequence:
    """``gaps[k]``: the words before node k; the last gap follows the last node."""

    nodes: list[Node]
    gaps: list[list[Word]]


@dataclass(frozen=True)
class Emptiness:
    last_only: bool = False
    denied: bool = False


def sequence(parts: list, words: list[Word]) -> Sequence:
    nodes: list[Node] = []
    gaps: list[list[Word]] = [[]]
    for part in parts:
        if isinstance(part, Group):
            nodes.append(Node(part))
            gaps.append([])
        else:
            gaps[-1].append(part._replace(entry=_RELATIVE) if part.low == "that" else part)
    return Sequence(nodes, gaps)


def _tags(gap: list[Word]) -> list[Tag]:
    return [w.tag for w in gap]


_SAYS = (Tag.WORD, Tag.VERB, Tag.BE, Tag.EXIST, Tag.WITH, Tag.STEP, Tag.REPEAT, Tag.WANT)
_CLAUSE = (Tag.BUT,)


def fronted(seq: Sequence, k: int) -> bool:
    """A place right after a preposition: "in the fridge …"."""
    gap = seq.gaps[k]
    return bool(gap) and gap[-1].tag is Tag.PREP or (len(gap) >= 1 and gap[-1].tag is Tag.HERE and gap[-1].low == "there")


def emptiness(seq: Sequence, k: int) -> Emptiness | None:
    """Whether the words after (or before: "as is the stove") a place group say that it is empty."""
    after = seq.gaps[k + 1]
    tags = _tags(after)
    if Tag.EMPTY in tags:
        cut = tags.index(Tag.EMPTY)
        head = tags[:cut]
        if Tag.EXIST not in head and not ({Tag.AND, Tag.BUT} & set(head) and Tag.BE not in head):
            relative = Tag.WHICH in head or (Tag.COMMA in head and seq.nodes[k].listed)
            return Emptiness(last_only=relative,
                             denied=Tag.NOT in head)
    if _alike(seq, k) and (any(Tag.EMPTY in _tags(g) for g in seq.gaps[:k + 1]) or any(n.group.kind is Kind.NOTHING for n in seq.nodes[:k])):
        return Emptiness()
    return None


def _split_places(seq: Sequence) -> None:
    """"A cup is in the dishwasher, and the other table holds a plate": the last place begins a clause of its own."""
    k = 1
    while k < len(seq.nodes):
        node, before, after = seq.nodes[k], _tags(seq.gaps[k]), _tags(seq.gaps[k + 1])
        if node.group.kind is Kind.PLACE and len(node.group.items) > 1 and seq.nodes[k - 1].group.kind is not Kind.PLACE \
                and before[-1:] == [Tag.PREP] and Tag.AND not in before and after and after[0] in (Tag.BE, Tag.VERB, Tag.WORD, Tag.NOT):
            items, breaks = node.group.items, node.group.breaks
            head = Group(Kind.PLACE, items[:-1], breaks[:-1], items[0].start, items[-2].end)
            tail = Group(Kind.PLACE, items[-1:], (), items[-1].start, items[-1].end)
            seq.nodes[k:k + 1] = [Node(head, node.room), Node(tail, node.room)]
            seq.gaps.insert(k + 1, [Word(",", items[-1].start, items[-1].start, Entry(Tag.COMMA))])
            k += 1
        k += 1


def _alike(seq: Sequence, k: int) -> bool:
    """"as is the stove", "as does the sixth", "and neither does the oven": what was just said holds for this place too."""
    before = seq.gaps[k]
    return any(w.tag is Tag.AS or w.low in ("neither", "nor") for w in before) and \
        any(w.tag is Tag.BE or w.low in ("do", "does", "has", "have", "did", "with") for w in before)


def connect(seq: Sequence) -> None:
    """Fill in ``links`` of the thing nodes and the flags of the place nodes."""
    _split_places(seq)
    nodes, gaps = seq.nodes, seq.gaps
    for k, node in enumerate(nodes):
        if node.group.kind is Kind.PLACE:
            node.listed = _listed(seq, k)
    for k, node in enumerate(nodes):
        if node.group.kind is Kind.PLACE:
            continue
        left = _left_link(seq, k) if k and nodes[k - 1].group.kind is Kind.PLACE else None
        right = _right_link(seq, k) if k + 1 < len(nodes) and nodes[k + 1].group.kind is Kind.PLACE else None
        if left and right:
            left, right = _arbitrate(seq, k, left, right)
        each = any(t in (Tag.EACH, Tag.PRONOUN) for t in _tags(gaps[k]) + _tags(gaps[k + 1]))
        for link in (left, right):
            if link:
                link.each = each
                node.links.append(link)
                link.place.linked = True
        if not node.links and k and nodes[k - 1].group.kind is Kind.PLACE and not nodes[k - 1].linked and not nodes[k - 1].listed \
                and set(_tags(gaps[k])) == {Tag.COMMA}:
            node.links.append(Link(nodes[k - 1]))  # "the second cabinet, a cupcake"
            nodes[k - 1].linked = True
        if node.links and k + 1 < len(nodes) and nodes[k + 1].group.kind is Kind.PLACE and _alike(seq, k + 1) and node.group.kind is Kind.OBJECT:
            node.links.append(Link(nodes[k + 1], each=True))
            nodes[k + 1].linked = True
        if not node.links:
            node.on_floor = any(w.entry is TOPIC for w in gaps[k]) and any(t in _SAYS for t in _tags(gaps[k]))


def _listed(seq: Sequence, k: int) -> bool:
    """Whether this place group is what a room was said to have: "the kitchen has a fridge and four cabinets"."""
    items = seq.nodes[k].group.items
    if all(i.det in (Det.DEFINITE, Det.ONE_OF, Det.OTHER, Det.EVERY) for i in items):
        return False
    return any(w.entry is TOPIC for w in seq.gaps[k]) or (len(items) > 1 and items[0].det in (Det.INDEFINITE, Det.ANOTHER))


def _left_link(seq: Sequence, k: int) -> Link | None:
    """place → thing, from the words between them."""
    place, gap = seq.nodes[k - 1], seq.gaps[k]
    tags = _tags(gap)
    if any(t in _CLAUSE for t in tags) or any(w.entry is TOPIC for w in gap):
        return None
    negated = Tag.NOT in tags
    resp = Tag.RESPECTIVELY in tags or Tag.RESPECTIVELY in _tags(seq.gaps[k + 1])[:2]
    if Tag.EMPTY in tags:
        if Tag.EXCEPT in tags:
            return Link(place, last_only=False)
        return None
    ahead = tags[:tags.index(Tag.AND)] if Tag.AND in tags else tags
    if Tag.AND in tags and not any(t in _SAYS for t in ahead):
        both_verbs = tags[-1] in (Tag.VERB, Tag.WORD) and Tag.EXIST not in tags and Tag.PREP not in tags and tags[0] is not Tag.COMMA
        if not both_verbs:
            return None
    relative = Tag.WHICH in tags or seq.nodes[k - 1].listed
    if fronted(seq, k - 1) and not place.linked:
        return Link(place, negated, respectively=resp, last_only=relative and Tag.WHICH in tags)
    if not tags or all(t in (Tag.EACH, Tag.PRONOUN) for t in tags):
        return Link(place, respectively=resp)
    if all(t in (Tag.COMMA, Tag.AND, Tag.EACH) for t in tags):
        return None
    if tags[0] is Tag.COMMA and Tag.EXIST in tags:
        return None
    if any(t in _SAYS for t in tags) or Tag.WHICH in tags or Tag.NOT in tags:
        return Link(place, negated, respectively=resp, last_only=relative)
    return None


def _right_link(seq: Sequence, k: int) -> Link | None:
    """thing → place: a preposition stands right before the place."""
    place, gap = seq.nodes[k + 1], seq.gaps[k + 1]
    tags = [t for t in _tags(gap) if t not in (Tag.PRONOUN, Tag.EACH)]
    if len(tags) == 1 and tags[0] in (Tag.WORD, Tag.VERB) and all(i.det is not Det.INDEFINITE for i in place.group.items) \
            and not (k and seq.nodes[k - 1].group.kind is Kind.PLACE and _left_link(seq, k)):
        return Link(place)  # "a plate and a book adorn the table"
    if not tags or tags[-1] is not Tag.PREP:
        return None
    if Tag.BUT in tags or (Tag.AND in tags and not any(t in _SAYS for t in tags)) or any(w.entry is TOPIC for w in gap):
        return None
    if Tag.AND in tags and Tag.BE not in tags[:1]:
        return None
    says = any(t in _SAYS for t in tags)
    if tags[0] is Tag.COMMA and not says and _claimed_by_next(seq, k + 1):
        return None
    resp = Tag.RESPECTIVELY in _tags(seq.gaps[k + 2])[:2]
    return Link(place, Tag.NOT in tags, respectively=resp)


def _claimed_by_next(seq: Sequence, k: int) -> bool:
    """"…, in the stove there is a plate": the place already belongs to the thing after it."""
    if k + 1 >= len(seq.nodes) or seq.nodes[k + 1].group.kind is Kind.PLACE:
        return False
    tags = _tags(seq.gaps[k + 1])
    return not tags or tags[0] in (Tag.EXIST, Tag.BE, Tag.VERB, Tag.WORD, Tag.COMMA) and Tag.AND not in tags


def _arbitrate(seq: Sequence, k: int, left: Link, right: Link) -> tuple[Link | None, Link | None]:
    """Both neighbours claim the list. "with … placed on the table" goes right; else split at the last conjunction; else left."""
    node, gap_left, gap_right = seq.nodes[k], _tags(seq.gaps[k]), _tags(seq.gaps[k + 1])
    if Tag.WITH in gap_left and Tag.COMMA in gap_left or (Tag.WITH in gap_left and seq.nodes[k - 1].listed):
        return None, right
    n = len(node.group.items)
    says = any(t in _SAYS for t in gap_right)
    if n == 1:
        return (None, right) if says and Tag.COMMA in gap_left else (left, None) if not says else (None, right)
    plural = any(w.tag is Tag.BE and w.entry.plural for w in seq.gaps[k + 1])
    take = 1
    if plural and node.group.items[-1].count == 1 and not node.group.items[-1].plural:
        take = 2
    else:
        for back in range(1, n):
            if ",and" in node.group.breaks[n - 1 - back:n - back] and back > 1 and not node.group.breaks[n - 2].startswith(","):
                take = back
                break
    take = min(take, n - 1)
    left.first, right.last = n - take, take
    return left, right
