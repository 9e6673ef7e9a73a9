"""One story through the whole stack: run it, tell it as a timeline, draw it as a storyboard, judge it against the truth."""
