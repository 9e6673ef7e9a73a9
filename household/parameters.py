"""Parameters of a stage as frozen dataclasses: a field says its default, its range and what it means, and is checked where it is made.

Design reason: the same field gives the check, the ROS parameter's description (``household.ros``), the parameter file and the manual, so
that none of them can differ. Invariant: a config whose ``__post_init__`` calls :func:`check` and that exists is within its ranges.
"""

from __future__ import annotations

from dataclasses import field, fields


def parameter(default: float | int | bool, low: float | int | bool, high: float | int | bool, doc: str):
    """A field of a config dataclass. The type of ``default`` is the type asked for; an int does where a float is asked for."""
    return field(default=default, metadata={"low": low, "high": high, "doc": doc})


def check(config) -> None:
    """Raises ValueError naming the first parameter that is wrong, its value and what is allowed. Fields without a range are left alone."""
    for f in fields(config):
        if "low" not in f.metadata:
            continue
        value, low, high = getattr(config, f.name), f.metadata["low"], f.metadata["high"]
        if isinstance(f.default, bool):
            wanted, fits = "true or false", isinstance(value, bool)
        else:
            whole = isinstance(f.default, int)
            wanted = f"a {'whole ' if whole else ''}number in [{low}, {high}]"
            fits = not isinstance(value, bool) and isinstance(value, int if whole else (int, float)) and low <= value <= high  # no NaN
        if not fits:
            raise ValueError(f"{f.name} = {value!r}: must be {wanted} ({f.metadata['doc']})")
