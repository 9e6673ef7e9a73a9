"""Two-person episodes as files: a line of truth and words each, and beside it, as wanted, their graphs, events and words, and their pictures.

Invariant: the pictures are of the very episode, which is deterministic and lived once more before the camera.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from evaluation import choice_report as scoring
from evaluation import social_generate
from evaluation.generate_video import EVERY, Film
from evaluation.social_generate import Episode, Watching, words_of
from sim_bridges.embedded.world import EmbeddedWorld


def write(path: str | Path, seed: int, count: int, recordings: str | Path | None = None, progress: Callable[[int], None] = lambda k: None,
          video: str | Path | None = None) -> Counter:
    """One JSON object a line (home, people, thing, words, deeds, the truth); with ``recordings`` each episode's stream beside it, as
    ``evaluation.replay`` reads it; with ``video`` its pictures in a folder of its name. Returns how many of each family. Raises UsageError."""
    rows, made = [], Counter()
    for k, played in enumerate(social_generate.episodes(seed, count)):
        name = f"{played.seed}_{played.family.name.lower()}"
        rows.append(_row(name, played))
        if recordings:
            scoring.write_text(Path(recordings) / f"{name}.jsonl", "".join(json.dumps(
                {"graph": i.graph.to_dict(), "events": [e.to_dict() for e in i.events], "utterances": [u.to_dict() for u in i.utterances]}) + "\n"
                for i in played.stream))
        if video:
            film(played, Path(video) / name)
        made[played.family.value] += 1
        progress(k + 1)
    scoring.write_text(path, "".join(json.dumps(row) + "\n" for row in rows))
    return made


def _row(name: str, played: Episode) -> dict:
    return {"episode": name, "home": played.home, "seed": played.seed, "first": played.first, "second": played.second, "thing": played.thing,
            "family": played.family.value, "aim": played.aim.value, "words": [u.to_dict() for u in words_of(played)],
            "deeds": [d.to_dict() for d in played.deeds]}


def film(played: Episode, folder: Path) -> None:
    """The episode as a camera in a corner of the second person's room sees it: one PNG every second tick, and ``camera.json``."""
    pictures = Film(folder)

    def each(world: EmbeddedWorld, second: str, k: int) -> None:
        if k % EVERY == 0:
            pictures.take(world, second, k)

    social_generate.episode(played.seed, played.family, replace(Watching(), each=each), (played.attempt,))
    pictures.close()
