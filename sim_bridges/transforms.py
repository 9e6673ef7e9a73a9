"""Moved: see household.transforms."""

from household.transforms import *  # noqa: F401,F403
