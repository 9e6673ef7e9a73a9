"""Language as a second sense: English descriptions of homes and of what somebody does, read into symbols.

Why a grammar of our own: a reader has to say what it did *not* understand. This one never guesses in silence: every predicate and
action cites the characters it was read from, and every clause that gave nothing is handed back with a reason.

    tokens → phrases (noun phrases, coordinated) → home (predicates) · conduct (symbolic actions) · statements (beliefs, goals)

Invariant: nothing here knows who wrote the text or what it will be asked for; words come from ``household.classes`` and ``lexicon``.
"""

from mind.reading.conduct import read_conduct
from mind.reading.home import read_home
from mind.reading.statements import read_statement
from mind.reading.types import (BeliefStatement, ConductReading, GoalStatement, HomeReading, Predicate, Problem, ProblemKind,
                                ReadAction, Span)

__all__ = ["read_home", "read_conduct", "read_statement", "HomeReading", "ConductReading", "Predicate", "ReadAction", "Problem",
           "ProblemKind", "Span", "BeliefStatement", "GoalStatement"]
