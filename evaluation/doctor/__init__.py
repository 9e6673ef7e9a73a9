"""Checks of an installation and of a running graph. Add one: a function that returns a :class:`Finding`, listed in ``CHECKS``."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Level(str, Enum):
    OK = "ok"
    WARN = "warn"  # works, but less well or with a part missing
    FAIL = "fail"


@dataclass(frozen=True)
class Finding:
    """``fix``: one line that says what to do; empty when all is well."""

    name: str
    level: Level
    detail: str
    fix: str = ""

    def to_dict(self) -> dict:
        return {"name": self.name, "level": self.level.value, "detail": self.detail, "fix": self.fix}
