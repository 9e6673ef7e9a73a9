"""Goals as people write them in homes and stories: ``get(apple)``, ``put(plate, waterglass, place=dishwasher_1)``,
``switch(faucet_1, activity=off)``.

The text is exactly ``str(Goal)``; reading it back gives the same goal.
"""

from __future__ import annotations

import re

from household import classes
from household.goals import NO_GOAL, Goal, GoalKind

_CALL = re.compile(r"\s*([a-z]+)\s*(?:\((.*)\))?\s*$", re.S)


def parse_goal(text: str) -> Goal:
    """Raises ValueError that names the part and what would be right. Places are not resolved here."""
    match = _CALL.match(text)
    kinds = {k.value: k for k in GoalKind}
    if not match or match[1] not in kinds:
        raise ValueError(f"'{text}' is no goal; allowed: {', '.join(kinds)}, as in get(apple) or put(apple, place=fridge_1)")
    kind, targets, options = kinds[match[1]], [], {}
    for part in filter(None, (p.strip() for p in (match[2] or "").split(","))):
        key, equals, value = (s.strip() for s in part.partition("="))
        if not equals:
            targets.append(part)
        elif key in ("place", "activity") and key not in options and value:
            options[key] = value
        else:
            raise ValueError(f"'{part}' in goal '{text}' is not understood; allowed: place=…, activity=…, each once")
    if kind is GoalKind.NONE:
        return NO_GOAL
    goal = Goal(kind, tuple(targets), options.get("place"), options.get("activity"))
    _check(goal, text)
    return goal


def _check(goal: Goal, text: str) -> None:
    for target in goal.targets:
        if classes.class_of(target) not in classes.CLASSES:
            raise ValueError(f"goal '{text}' names the unknown thing '{target}'")
    needs_place = goal.kind in (GoalKind.PUT, GoalKind.REACH)
    if needs_place and goal.place is None:
        raise ValueError(f"goal '{text}' needs place=…")
    if goal.kind is not GoalKind.REACH and not goal.targets:
        raise ValueError(f"goal '{text}' names no thing")
    if goal.kind is GoalKind.SWITCH and goal.activity not in ("on", "off"):
        raise ValueError(f"goal '{text}' needs activity=on or activity=off")
