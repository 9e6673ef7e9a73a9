"""Verbs by what they mean to a model of people: going somewhere, taking, putting, pausing, and what says nothing about goals."""

from __future__ import annotations

from household.actions import Verb

WALKS = frozenset({Verb.WALK, Verb.RUN, Verb.WALKTOWARDS, Verb.ENTER, Verb.LEAVE, Verb.MOVETO})
PUTS = frozenset({Verb.PUTIN, Verb.PUTON, Verb.PLACE, Verb.PUTBACK, Verb.DROP})
PICKS = frozenset({Verb.PICK, Verb.HOLD})
SILENT = frozenset({Verb.LOOKAT, Verb.ROTATEHEAD, Verb.RESETHEAD, Verb.TURN, Verb.TURNTO, Verb.TURNBY, Verb.TURNLEFT, Verb.TURNRIGHT,
                    Verb.SAY, Verb.POINT, Verb.STANDUP, Verb.STAND, Verb.REACHFOR, Verb.RESETARM, Verb.TOUCH, Verb.LISTEN,
                    Verb.WALKFORWARD, Verb.MOVEBY})  # say nothing about goals in this model
PAUSES = frozenset({Verb.WAIT, Verb.SLEEP, Verb.WATCH, Verb.READ, Verb.ANIMATE, Verb.WRITE, Verb.SIT, Verb.DRINK})
