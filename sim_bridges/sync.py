"""Moved: see household.sync."""

from household.sync import *  # noqa: F401,F403
