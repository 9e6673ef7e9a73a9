"""The symbols of the six layers: one grammar, one printer, one parser, one validator.

Vocabulary: the atomic-action table of MindPower (supplement C.1, Table 1 and Fig. 14), its content forms, and the household's
verbs. Where the paper leaves the arguments of a content form open we write its three-place form ``content(subject, object,
location)``: ``object_on(apple_1, fridge_1)``. Contents the paper has no word for (it only fetches) are listed apart.

    term := functor "(" [argument ("," argument)*] ")"        argument := [("from" | "to") "="] (term | name | "quoted text")

Invariant: ``parse_terms(print_terms(t)) == t`` for every tuple of valid terms.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import Union

from household.actions import Verb


class Layer(str, Enum):
    PERCEPTION = "Perception"
    BELIEF = "Belief"
    DESIRE = "Desire"
    INTENTION = "Intention"
    DECISION = "Decision"
    ACTION = "Action"


class Predicate(str, Enum):
    """The atomic actions of Table 1."""

    ATTRIBUTE_BELIEF = "attribute_belief"
    HOLD_TRUE_BELIEF = "hold_true_belief"
    LACK_BELIEF = "lack_belief"
    KNOW = "know"
    UNKNOW = "unknow"
    ATTRIBUTE_DESIRE = "attribute_desire"
    FORM_INTENTION = "form_intention"
    RESOLVE_MISBELIEF = "resolve_misbelief"
    MAKE_DECISION = "make_decision"


class Content(str, Enum):
    """Content forms; the first group is the paper's, the second ours."""

    SEARCHING = "searching"
    HUMAN_BELIEVES = "human_believes"
    OBJECT_ON = "object_on"
    ASSIST = "assist"
    FIND = "find"
    FETCH = "fetch"
    BELIEF_CONFLICT = "belief_conflict"
    TELL = "tell"  # tell(listener, object_on(…) | object_moved(…))
    ASK = "ask"  # ask(listener, object, object)
    OBJECT_MOVED = "object_moved"  # object_moved(object, from=place), object_moved(object, to=room)
    NEEDS = "needs"  # needs(object)
    BLOCKED_BY = "blocked_by"
    LEFT_RUNNING = "left_running"
    LEFT_OPEN = "left_open"


LAYER_PREDICATES: dict[Layer, frozenset[Predicate]] = {
    Layer.BELIEF: frozenset({Predicate.ATTRIBUTE_BELIEF, Predicate.HOLD_TRUE_BELIEF, Predicate.LACK_BELIEF, Predicate.KNOW,
                             Predicate.UNKNOW}),
    Layer.DESIRE: frozenset({Predicate.ATTRIBUTE_DESIRE}),
    Layer.INTENTION: frozenset({Predicate.FORM_INTENTION}),
    Layer.DECISION: frozenset({Predicate.RESOLVE_MISBELIEF, Predicate.MAKE_DECISION}),
}
_OTHER_SPELLINGS = {"unknown": Predicate.UNKNOW.value}  # Fig. 14 against Table 1
_VERBS = frozenset(v.value for v in Verb)
_CONTENTS = frozenset(c.value for c in Content)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_\-.:]*")
_TOKEN = re.compile(r'\s*(?:(?P<text>"(?:[^"\\\n]|\\.)*")|(?P<name>[A-Za-z0-9][A-Za-z0-9_\-.:]*)|(?P<mark>[(),=]))')
MAX_DEPTH = 4
MAX_TERMS = 200

Argument = Union["Term", str]


class SymbolError(ValueError):
    """Symbols outside the grammar; the message names the layer or the place and what would be right."""


@dataclass(frozen=True)
class Term:
    """``functor(args…, from=…, to=…)``; an argument is a name, a text or another term."""

    functor: str
    args: tuple[Argument, ...] = ()
    source: str | None = None
    target: str | None = None

    def __str__(self) -> str:
        parts = [str(a) if isinstance(a, Term) else quote(a) for a in self.args]
        parts += [f"{k}={quote(v)}" for k, v in (("from", self.source), ("to", self.target)) if v is not None]
        return f"{self.functor}({', '.join(parts)})"


def term(functor: str | Enum, *args: Argument, source: str | None = None, target: str | None = None) -> Term:
    return Term(functor.value if isinstance(functor, Enum) else functor, tuple(args), source, target)


def quote(text: str) -> str:
    if _NAME.fullmatch(text):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'


def print_terms(terms: tuple[Term, ...]) -> str:
    return ", ".join(str(t) for t in terms)


def parse_terms(text: str) -> tuple[Term, ...]:
    """Comma-separated terms; '' is none. Raises SymbolError."""
    tokens = _tokens(text)
    terms, i = [], 0
    while i < len(tokens):
        if terms:
            if tokens[i] != ("mark", ","):
                raise SymbolError(f"expected ',' between symbols, found '{tokens[i][1]}'")
            i += 1
        found, i = _term(tokens, i, 0)
        terms.append(found)
        if len(terms) > MAX_TERMS:
            raise SymbolError(f"more than {MAX_TERMS} symbols in one layer")
    return tuple(terms)


def _tokens(text: str) -> list[tuple[str, str]]:
    tokens, i = [], 0
    text = text.rstrip()
    while i < len(text):
        match = _TOKEN.match(text, i)
        if match is None or match.end() == i:
            raise SymbolError(f"cannot read '{text[i:i + 30].strip()}'")
        tokens.append((match.lastgroup, match[match.lastgroup]))
        i = match.end()
    return tokens


def _term(tokens: list[tuple[str, str]], i: int, depth: int) -> tuple[Term, int]:
    if depth > MAX_DEPTH:
        raise SymbolError(f"symbols nested deeper than {MAX_DEPTH}")
    if i + 1 >= len(tokens) or tokens[i][0] != "name" or tokens[i + 1] != ("mark", "("):
        raise SymbolError(f"expected 'name(' at '{' '.join(t for _, t in tokens[i:i + 3])}'")
    functor, i = _OTHER_SPELLINGS.get(tokens[i][1], tokens[i][1]), i + 2
    args: list[Argument] = []
    keywords: dict[str, str] = {}
    while True:
        if i >= len(tokens):
            raise SymbolError(f"'{functor}(' is never closed")
        if tokens[i] == ("mark", ")"):
            return Term(functor, tuple(args), keywords.get("from"), keywords.get("to")), i + 1
        if args or keywords:
            if tokens[i] != ("mark", ","):
                raise SymbolError(f"expected ',' or ')' in {functor}(…), found '{tokens[i][1]}'")
            i += 1
        i = _argument(tokens, i, depth, functor, args, keywords)


def _argument(tokens, i: int, depth: int, functor: str, args: list[Argument], keywords: dict[str, str]) -> int:
    following = tokens[i + 1] if i + 1 < len(tokens) else None
    if i < len(tokens) and following == ("mark", "="):
        word = tokens[i][1]
        if word not in ("from", "to") or word in keywords:
            raise SymbolError(f"'{word}=' in {functor}(…): only from= and to=, once each")
        if i + 2 >= len(tokens) or tokens[i + 2][0] not in ("name", "text"):
            raise SymbolError(f"'{word}=' in {functor}(…) has no value")
        keywords[word] = _plain(tokens[i + 2])
        return i + 3
    if keywords:
        raise SymbolError(f"{functor}(…) has a positional argument after from= or to=")
    if following == ("mark", "("):
        inner, i = _term(tokens, i, depth + 1)
        args.append(inner)
        return i
    if i >= len(tokens) or tokens[i][0] not in ("name", "text"):
        raise SymbolError(f"{functor}(…) has an empty argument")
    args.append(_plain(tokens[i]))
    return i + 1


def _plain(token: tuple[str, str]) -> str:
    kind, value = token
    return re.sub(r"\\(.)", r"\1", value[1:-1]) if kind == "text" else value


def check(layer: Layer, terms: tuple[Term, ...]) -> None:
    """Only the vocabulary of the layer, with the right shape. Raises SymbolError naming layer and term."""
    for t in terms:
        if layer in (Layer.PERCEPTION, Layer.ACTION):
            if t.functor not in _VERBS:
                raise SymbolError(f"<{layer.value}> {t}: '{t.functor}' is no verb of the action set")
            if any(isinstance(a, Term) for a in t.args):
                raise SymbolError(f"<{layer.value}> {t}: an action takes names, not symbols")
            if layer is Layer.PERCEPTION and not t.args:
                raise SymbolError(f"<{layer.value}> {t}: whose action it is comes first")
            continue
        allowed = LAYER_PREDICATES[layer]
        if t.functor not in {p.value for p in allowed}:
            raise SymbolError(f"<{layer.value}> {t}: allowed here: {', '.join(sorted(p.value for p in allowed))}")
        if len(t.args) != 2 or not isinstance(t.args[0], str) or not isinstance(t.args[1], Term):
            raise SymbolError(f"<{layer.value}> {t}: the form is {t.functor}(agent, content)")
        _check_content(layer, t.args[1])


def _check_content(layer: Layer, content: Term) -> None:
    if content.functor not in _CONTENTS and content.functor not in _VERBS:
        raise SymbolError(f"<{layer.value}> {content}: unknown content; known: {', '.join(sorted(_CONTENTS))} and the verbs")
    for a in content.args:
        if isinstance(a, Term):
            _check_content(layer, a)
