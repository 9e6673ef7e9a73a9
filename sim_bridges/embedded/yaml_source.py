"""Reading YAML that people write, so that every complaint can say where it is.

``yaml.safe_load`` forgets positions and lets a repeated key silently win; a home with two fridges of the same name would load. Here a
file becomes :class:`Section` objects that remember the line of every key, refuse repeated and unknown keys, and turn each value into
the wanted type or into one error of the form ``file:line: key: what is wrong; allowed: …``.
Invariant: no value leaves a Section unchecked, and ``finish`` fails on a key that nobody asked for.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import yaml

_TRUE, _FALSE = frozenset({"true", "yes", "on"}), frozenset({"false", "no", "off"})
_NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?$")


class SourceError(ValueError):
    """A file that cannot be used; the message names file, line, key and what would be right."""

    def __init__(self, file: str, line: int, key: str, problem: str):
        super().__init__(f"{file}:{line}: {key + ': ' if key else ''}{problem}")
        self.file, self.line, self.key, self.problem = file, line, key, problem


@dataclass(frozen=True)
class Value:
    """One YAML node with its place: ``key`` is the dotted path from the top of the file, ``line`` (of the key, from 1)."""

    node: yaml.Node
    key: str
    error: type[SourceError]
    name_node: yaml.Node | None = None  # where its key stands

    @property
    def file(self) -> str:
        return str((self.name_node or self.node).start_mark.name)

    @property
    def line(self) -> int:
        return (self.name_node or self.node).start_mark.line + 1

    def fail(self, problem: str) -> NoReturn:
        raise self.error(self.file, self.line, self.key, problem)

    @property
    def is_section(self) -> bool:
        return isinstance(self.node, yaml.MappingNode)

    @property
    def is_list(self) -> bool:
        return isinstance(self.node, yaml.SequenceNode)

    @property
    def is_text(self) -> bool:
        return isinstance(self.node, yaml.ScalarNode)

    @property
    def is_null(self) -> bool:
        return self.is_text and self.node.value in ("", "~", "null") and self.node.style is None

    def section(self) -> "Section":
        if self.is_null:
            return Section(self, {})
        if not self.is_section:
            self.fail("a mapping of 'key: value' is wanted here")
        values: dict[str, Value] = {}
        for name_node, node in self.node.value:
            name = str(name_node.value) if isinstance(name_node, yaml.ScalarNode) else ""
            path = f"{self.key}.{name}" if self.key else name
            here = Value(name_node, path, self.error)
            if not name:
                here.fail("a key must be a plain word")
            if name in values:
                here.fail(f"'{name}' stands here twice (first on line {values[name].line})")
            values[name] = Value(node, path, self.error, name_node)
        return Section(self, values)

    def items(self) -> list["Value"]:
        if not self.is_list:
            self.fail("a list is wanted here")
        return [Value(n, f"{self.key}[{i}]", self.error) for i, n in enumerate(self.node.value)]

    def text(self) -> str:
        if not self.is_text or self.is_null:
            self.fail("a word or sentence is wanted here")
        return str(self.node.value)

    def number(self, low: float, high: float) -> float:
        text = self.text()
        if not _NUMBER.match(text):
            self.fail(f"'{text}' is not a number; allowed: {low:g} to {high:g}")
        value = float(text)
        if not low <= value <= high:
            self.fail(f"{value:g} is out of range; allowed: {low:g} to {high:g}")
        return value

    def integer(self, low: int, high: int) -> int:
        value = self.number(low, high)
        if value != int(value):
            self.fail(f"{value:g} is not a whole number; allowed: {low} to {high}")
        return int(value)

    def flag(self) -> bool:
        word = self.text().lower()
        if word not in _TRUE | _FALSE:
            self.fail(f"'{word}' is neither yes nor no; allowed: yes, no")
        return word in _TRUE

    def choice(self, allowed: Collection[str], what: str = "value") -> str:
        text = self.text()
        if text not in allowed:
            near = difflib.get_close_matches(text, allowed, n=1)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            self.fail(f"unknown {what} '{text}'{hint}; allowed: {', '.join(sorted(allowed)) or 'none here'}")
        return text

    def numbers(self, count: int, low: float, high: float) -> tuple[float, ...]:
        values = self.items()
        if len(values) != count:
            self.fail(f"{count} numbers are wanted, not {len(values)}")
        return tuple(v.number(low, high) for v in values)


class Section:
    """A mapping being read. ``take`` hands a value out once; ``finish`` complains about what was never asked for."""

    def __init__(self, value: Value, values: dict[str, Value]):
        self.value, self._values, self._asked = value, values, set()

    def __iter__(self) -> Iterator[tuple[str, Value]]:
        """All keys in file order; asks for every one of them."""
        self._asked.update(self._values)
        return iter(self._values.items())

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def take(self, key: str) -> Value | None:
        self._asked.add(key)
        found = self._values.get(key)
        return None if found is None or found.is_null else found

    def need(self, key: str) -> Value:
        found = self.take(key)
        if found is None:
            self.value.fail(f"'{key}' is missing")
        return found

    def finish(self) -> None:
        for key, value in self._values.items():
            if key not in self._asked:
                near = difflib.get_close_matches(key, self._asked, n=1)
                hint = f"; did you mean '{near[0]}'?" if near else ""
                value.fail(f"unknown key '{key}'{hint}; allowed: {', '.join(sorted(self._asked))}")


def parse(text: str, file: str, error: type[SourceError]) -> Value:
    """YAML text → its top value. Broken YAML raises ``error`` with the line and the parser's own reason."""
    loader = None
    try:
        loader = yaml.SafeLoader(text)
        loader.name = file
        node = loader.get_single_node()
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        raise error(file, mark.line + 1 if mark else 1, "", f"not valid YAML: {problem.problem or problem}") from None
    except yaml.YAMLError as problem:
        raise error(file, 1, "", f"not valid YAML: {problem}") from None
    finally:
        if loader is not None:
            loader.dispose()
    if node is None:
        raise error(file, 1, "", "the file is empty")
    return Value(node, "", error)


def overlay(base: Value, top: Value) -> Value:
    """``top`` laid over ``base``: mappings are merged key by key, everything else is replaced. Each value keeps its own file and line."""
    if not (base.is_section and top.is_section):
        return top
    base.section(), top.section()  # refuses repeated keys in either
    under = {k.value: (k, v) for k, v in base.node.value}
    over = {k.value: (k, v) for k, v in top.node.value}
    pairs = []
    for name in [*under, *(k for k in over if k not in under)]:
        if name in under and name in over:
            merged = overlay(Value(under[name][1], name, base.error), Value(over[name][1], name, base.error))
            pairs.append((over[name][0], merged.node))
        else:
            pairs.append((over if name in over else under)[name])
    node = yaml.MappingNode(top.node.tag, pairs, top.node.start_mark, top.node.end_mark, flow_style=False)
    return Value(node, top.key, top.error)


def read(path: Path, error: type[SourceError]) -> Value:
    """A file → its top value; an unreadable one raises ``error``."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise error(str(path), 1, "", f"cannot be read: {problem}") from None
    return parse(text, str(path), error)
