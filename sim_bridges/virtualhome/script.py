"""Atomic actions ↔ VirtualHome script lines, and who failed in a script's report.

``walk(fridge_1)`` of character 0 is ``<char0> [walk] <fridge> (72)``; several characters act at once in one line, joined by ``|``. Only actions
the Unity side really performs are translated; for the others :func:`why_not` says so, so that a plan fails before it starts, not in its middle.
VirtualHome cannot pass a thing from hand to hand: ``give`` puts it on the nearest surface and lets the receiver take it (see :mod:`.body`).
"""

from __future__ import annotations

import json
import re

from household import classes
from household.actions import AtomicAction, Verb
from household.classes import Kind
from sim_bridges.errors import BadReply, UnknownName
from sim_bridges.virtualhome.names import NameMap

# verbs with one object that keep their name, or change it
_ONE: dict[Verb, str] = {
    Verb.WALK: "walk", Verb.RUN: "run", Verb.WALKTOWARDS: "walktowards", Verb.ENTER: "walk", Verb.MOVETO: "walk", Verb.OPEN: "open",
    Verb.CLOSE: "close", Verb.PICK: "grab", Verb.SIT: "sit", Verb.SWITCHON: "switchon", Verb.SWITCHOFF: "switchoff",
    Verb.TURNTO: "turnto", Verb.LOOKAT: "lookat", Verb.DRINK: "drink", Verb.TOUCH: "touch", Verb.REACHFOR: "touch",
}
_NONE: dict[Verb, str] = {Verb.STANDUP: "standup", Verb.STAND: "standup", Verb.WALKFORWARD: "walkforward", Verb.TURNLEFT: "turnleft",
                          Verb.TURNRIGHT: "turnright"}
_PUT = (Verb.PLACE, Verb.PUTON, Verb.PUTIN, Verb.PUTBACK)
SILENT = (Verb.SAY, Verb.WAIT, Verb.LISTEN)  # done without a script line
TURN_STEP_DEG = 30.0  # of turnleft and turnright
_BACK: dict[str, Verb] = {**{v: k for k, v in reversed(_ONE.items())}, **{v: k for k, v in reversed(_NONE.items())},
                          "putin": Verb.PUTIN, "put": Verb.PUTON, "putback": Verb.PUTON, "find": Verb.WALK}
_LINE = re.compile(r"^\s*(?:<char(\d+)>\s*)?\[([A-Za-z]+)\]((?:\s*<[^<>]+>\s*\(\d+\))*)\s*$")
_ARGUMENT = re.compile(r"<([^<>]+)>\s*\((\d+)\)")
_REPORT = re.compile(r"ScriptExc?e?cutor (\d+):(.*?)(?=ScriptExc?e?cutor \d+:|\Z)", re.S)


def why_not(action: AtomicAction) -> str:
    """'' if VirtualHome can perform such an action, else the reason."""
    verb = action.verb
    if verb in _ONE or verb in _NONE or verb in SILENT or verb in (Verb.GIVE, Verb.TURNBY):
        return ""
    if verb in _PUT:
        return "" if len(action.args) == 2 or action.target else f"{verb.value} needs a place to put it"
    known = sorted(v.value for v in (*_ONE, *_NONE, *_PUT, *SILENT, Verb.GIVE, Verb.TURNBY))
    return f"VirtualHome has no '{verb.value}'; it has {', '.join(known)}"


def lines_for(action: AtomicAction, actor: str, names: NameMap) -> list[str]:
    """Script lines, one after another ([] for what needs none). Raises UnknownName (entity, character) and ValueError (no such action)."""
    verb, char = action.verb, f"<char{names.character(actor)}>"
    if why_not(action) or verb is Verb.GIVE:
        raise ValueError(why_not(action) or "give is performed by two characters, see Handover")
    if verb in SILENT:
        return []
    if verb in _NONE:
        return [f"{char} [{_NONE[verb]}]"]
    if verb is Verb.TURNBY:
        steps = round(float(action.args[0]) / TURN_STEP_DEG)  # degrees, positive to the left (REP 103)
        return [f"{char} [{'turnleft' if steps > 0 else 'turnright'}]"] * abs(steps)
    if verb in _PUT:
        thing, place = action.args[0], action.target or action.args[1]
        inside = verb is Verb.PUTIN or (verb in (Verb.PLACE, Verb.PUTBACK) and classes.get(names.cls(place)).kind is Kind.CONTAINER)
        return [f"{char} [{'putin' if inside else 'put'}] {names.reference(thing)} {names.reference(place)}"]
    return [f"{char} [{_ONE[verb]}] {names.reference(action.target if verb is Verb.MOVETO and action.target else action.args[0])}"]


def together(lines: list[str]) -> str:
    """One line in which several characters act at once."""
    return " | ".join(lines)


def parse_line(line: str, names: NameMap) -> list[tuple[str, AtomicAction]]:
    """A script line → (actor, action) for everyone in it. Raises BadReply for what is no script line, UnknownName for unknown ids."""
    out = []
    for part in line.split("|"):
        match = _LINE.match(part)
        if not match or match[2].lower() not in _BACK:
            raise BadReply(f"'{part.strip()}' is no script line of a known action; they look like '<char0> [grab] <apple> (90)'")
        index = int(match[1] or 0)
        if index >= len(names.characters):
            raise UnknownName(f"'{part.strip()}': there are {len(names.characters)} characters")
        args = []
        for cls, node in _ARGUMENT.findall(match[3]):
            entity = names.entity(int(node))
            if entity is None:
                raise UnknownName(f"'{part.strip()}': node {node} ('{cls}') is nothing the household knows")
            args.append(entity)
        out.append((names.characters[index], AtomicAction(_BACK[match[2].lower()], tuple(args))))
    return out


def failures(success: bool, message: str, indexes: list[int]) -> dict[int, str]:
    """Character index → why it failed, of those in ``indexes``; empty when all succeeded.

    Older builds report one sentence per failed character, newer ones a JSON object with a message per character.
    """
    try:
        table = json.loads(message)
    except ValueError:
        table = None
    out: dict[int, str] = {}
    if isinstance(table, dict):
        for key, value in table.items():
            text = str(value.get("message", value) if isinstance(value, dict) else value)
            if str(key).isdigit() and int(key) in indexes and text.strip().lower() not in ("success", ""):
                out[int(key)] = " ".join(text.split())
        return out if out or success else dict.fromkeys(indexes, "the simulator gave no reason")
    for index, text in _REPORT.findall(message or ""):
        if int(index) in indexes:
            out[int(index)] = " ".join(text.split()) or "the simulator gave no reason"
    if not success and not out:
        out = dict.fromkeys(indexes, " ".join((message or "the simulator gave no reason").split()))
    return out
