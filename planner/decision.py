"""The decision in six layers, Perception → Belief → Desire → Intention → Decision → Action, in words and in symbols.

The text form is the paper's (MindPower supplement B.4): six lines, each opened by its layer's name in angle brackets, in this order, nothing
between. The names that its prompt uses (Fig. 9: <Description>, ToM-Reasoning, <Robot Belief> …) are read, too. Words and symbols say the
same; <Action> is the plan itself in both.
Invariant: ``parse_layers(print_layers(x)) == x``; ``Decision.from_dict(d.to_dict()) == d``; a Decision that passes ``validate`` holds only
actions of the grammar over entities that exist.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from household.actions import AtomicAction, parse_plan, validate as validate_action

from planner.acts import NOTHING, CandidateValue, HelpAct
from planner.symbols import Layer, SymbolError, Term, check, parse_terms, print_terms

_BREAKS = re.compile(r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")  # whatever str.splitlines would break a line at
_LINE = re.compile(r"^\s*-?\s*<([A-Za-z ]+)>:?[ \t]*(.*)$")
_HEADING = re.compile(r"^\s*-?\s*ToM-Reasoning:?\s*$")
_PROMPT_NAMES = {"Description": Layer.PERCEPTION.value, **{f"Robot {layer.value}": layer.value for layer in (Layer.BELIEF, Layer.DESIRE, Layer.INTENTION)}}


@dataclass(frozen=True)
class Symbols:
    """The symbolic layers; ``action`` stands in :class:`Decision` itself."""

    perception: tuple[Term, ...] = ()
    belief: tuple[Term, ...] = ()
    desire: tuple[Term, ...] = ()
    intention: tuple[Term, ...] = ()
    decision: tuple[Term, ...] = ()

    def layers(self) -> tuple[tuple[Layer, tuple[Term, ...]], ...]:
        return ((Layer.PERCEPTION, self.perception), (Layer.BELIEF, self.belief), (Layer.DESIRE, self.desire),
                (Layer.INTENTION, self.intention), (Layer.DECISION, self.decision))


@dataclass(frozen=True)
class Decision:
    """What the robot decided at ``stamp``, why, and what it weighed.

    ``words``: layer → one line of English for all six layers. ``plan``: the atomic actions of <Action>; empty when nothing is done.
    ``values``: every candidate, best first. ``since``: when this decision was first taken.
    """

    stamp: float
    act: HelpAct = NOTHING
    words: Mapping[Layer, str] = field(default_factory=dict)
    symbols: Symbols = Symbols()
    plan: tuple[AtomicAction, ...] = ()
    values: tuple[CandidateValue, ...] = ()
    since: float = 0.0
    reason: str = ""

    def text(self) -> str:
        """The six layers in words, in the paper's format."""
        return print_layers({**{layer: self.words.get(layer, "") for layer in Layer}, Layer.ACTION: self.action_text()})

    def symbol_text(self) -> str:
        """The six layers as symbols, same format."""
        lines = {layer: print_terms(terms) for layer, terms in self.symbols.layers()}
        return print_layers({**lines, Layer.ACTION: self.action_text()})

    def action_text(self) -> str:
        return ", ".join(str(a) for a in self.plan)

    def sequence(self) -> tuple[str, ...]:
        """All symbols in order, as strings: what sequences are aligned on."""
        return (*(str(t) for _, terms in self.symbols.layers() for t in terms), *(str(a) for a in self.plan))

    def to_dict(self) -> dict:
        return {"stamp": self.stamp, "since": self.since, "act": self.act.to_dict(), "reason": self.reason,
                "words": {layer.value: self.words.get(layer, "") for layer in Layer},
                "symbols": {layer.value: [str(t) for t in terms] for layer, terms in self.symbols.layers()},
                "plan": [str(a) for a in self.plan], "values": [v.to_dict() for v in self.values]}

    @classmethod
    def from_dict(cls, d: Mapping) -> "Decision":
        rows = {Layer(k): tuple(t for text in v for t in parse_terms(text)) for k, v in d["symbols"].items()}
        symbols = Symbols(*(rows.get(layer, ()) for layer in list(Layer)[:5]))
        return cls(d["stamp"], HelpAct.from_dict(d["act"]), {Layer(k): v for k, v in d["words"].items()}, symbols,
                   tuple(a for text in d["plan"] for a in parse_plan(text)),
                   tuple(CandidateValue.from_dict(v) for v in d["values"]), d.get("since", 0.0), d.get("reason", ""))


def print_layers(lines: Mapping[Layer, str]) -> str:
    """Six lines. A line's own line breaks become spaces."""
    return "\n".join(f"<{layer.value}> {_BREAKS.sub(' ', lines.get(layer, ''))}".rstrip(" ") for layer in Layer)


def parse_layers(text: str) -> dict[Layer, str]:
    """Six lines back into layers. Raises SymbolError when a layer is missing, out of order, doubled or unknown."""
    rows: list[tuple[str, str]] = []
    for line in text.splitlines():
        match = _LINE.match(line)
        if match:
            name = match[1].strip()
            rows.append((_PROMPT_NAMES.get(name, name), match[2].strip(" \t")))
        elif _HEADING.match(line):
            continue
        elif line.strip():
            if not rows:
                raise SymbolError(f"text before the first layer: '{line.strip()[:60]}'")
            rows[-1] = (rows[-1][0], f"{rows[-1][1]} {line.strip()}".strip())
    wanted = [layer.value for layer in Layer]
    if [name for name, _ in rows] != wanted:
        raise SymbolError(f"layers {', '.join(name for name, _ in rows) or 'none'}; wanted, in this order: {', '.join(wanted)}")
    return {Layer(name): body for name, body in rows}


def parse_symbols(text: str) -> tuple[Symbols, tuple[AtomicAction, ...]]:
    """Six symbolic lines → symbols and plan. Raises SymbolError or household.actions.ActionError."""
    rows = parse_layers(text)
    symbols = Symbols(*(parse_terms(rows[layer]) for layer in list(Layer)[:5]))
    for layer, terms in symbols.layers():
        check(layer, terms)
    return symbols, parse_plan(rows[Layer.ACTION])


def validate(decision: Decision, known: Collection[str]) -> None:
    """Every layer within its vocabulary, every action executable in form, every name known. Raises SymbolError or ActionError."""
    for layer, terms in decision.symbols.layers():
        check(layer, terms)
    for action in decision.plan:
        validate_action(action, known)
