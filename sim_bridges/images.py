"""Moved: see household.images."""

from household.images import *  # noqa: F401,F403
