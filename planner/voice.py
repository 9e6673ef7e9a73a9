"""The voice: text to sound, behind one small protocol with a deterministic fake.

Design reason: speech is outside the core (it takes time, needs espeak-ng, may have no device), so the planner only decides sentences and
whoever runs the voice reports what became of each. One engine per use: pyttsx3's ``say`` after ``save_to_file`` on the same engine overwrites
the earlier file. Invariant: ``speak`` never raises and never blocks longer than its deadline; without a sound device it leaves a WAV file.
"""

from __future__ import annotations

import contextlib
import io
import os
import threading
import wave
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Protocol

MAX_LETTERS = 300


class VoiceOutput(str, Enum):
    AUTO = "auto"  # the loudspeaker where there is one, else a file
    SPEAKER = "speaker"
    FILE = "file"
    OFF = "off"  # muted: text only


@dataclass(frozen=True)
class VoiceConfig:
    """``folder``: where WAV files go. ``rate``: words per minute. ``keep``: how many files are kept, the oldest going first."""

    output: VoiceOutput = field(default=VoiceOutput.AUTO, metadata={"doc": "auto: the loudspeaker where there is one, else files"})
    folder: str = field(default="voice", metadata={"doc": "where WAV files go"})
    rate: int = field(default=165, metadata={"doc": "words per minute", "low": 60, "high": 400})
    deadline_s: float = field(default=20.0, metadata={"doc": "longest one sentence may take to speak, s", "low": 0.1, "high": 300})
    keep: int = field(default=200, metadata={"doc": "how many WAV files are kept, the oldest going first", "low": 1, "high": 100000})

    def __post_init__(self):
        if not 60 <= self.rate <= 400:
            raise ValueError(f"voice parameter 'rate' = {self.rate}: allowed 60 to 400 words per minute")
        if not 0.1 <= self.deadline_s <= 300:
            raise ValueError(f"voice parameter 'deadline_s' = {self.deadline_s}: allowed 0.1 to 300")
        if not 1 <= self.keep <= 100_000:
            raise ValueError(f"voice parameter 'keep' = {self.keep}: allowed 1 to 100000")


@dataclass(frozen=True)
class Spoken:
    """``ok``: it was spoken or written. ``wav``: the file, when there is one. ``seconds``: its length, 0.0 when not known."""

    text: str
    ok: bool
    wav: str | None = None
    seconds: float = 0.0
    reason: str = ""


class Voice(Protocol):
    def speak(self, text: str) -> Spoken: ...

    def close(self) -> None: ...


class SilentVoice:
    """Says nothing and remembers everything: the fake, and what ``muted`` uses. 0.06 s a letter."""

    def __init__(self):
        self.spoken: list[str] = []

    def speak(self, text: str) -> Spoken:
        text = _clean(text)
        if not text:
            return Spoken(text, False, reason="there is nothing to say")
        self.spoken.append(text)
        return Spoken(text, True, seconds=0.06 * len(text))

    def close(self) -> None:
        return None


class EspeakVoice:
    """pyttsx3 with espeak-ng."""

    def __init__(self, config: VoiceConfig = VoiceConfig()):
        self.config = config
        self._count = 0
        self._files: list[Path] = []

    def speak(self, text: str) -> Spoken:
        text = _clean(text)
        if not text:
            return Spoken(text, False, reason="there is nothing to say")
        if self.config.output is VoiceOutput.OFF:
            return Spoken(text, True, seconds=0.06 * len(text))
        aloud = self.config.output is VoiceOutput.SPEAKER or (self.config.output is VoiceOutput.AUTO and has_sound_device())
        try:
            path = None if aloud else self._next_file()
        except OSError as error:
            return Spoken(text, False, reason=f"cannot write to voice folder '{self.config.folder}': {error.strerror}")
        outcome: list[str] = []
        worker = threading.Thread(target=_utter, args=(text, path, self.config.rate, outcome), daemon=True)
        worker.start()
        worker.join(self.config.deadline_s)
        if worker.is_alive():
            return Spoken(text, False, reason=f"the speech engine did not answer within {self.config.deadline_s:.0f} s")
        if outcome:
            return Spoken(text, False, reason=outcome[0])
        if path is None:
            return Spoken(text, True)
        return self._filed(text, path)

    def _next_file(self) -> Path:
        folder = Path(self.config.folder)
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError(13, "not writable")
        self._count += 1
        return folder / f"speech_{self._count:04d}.wav"

    def _filed(self, text: str, path: Path) -> Spoken:
        try:
            with wave.open(str(path)) as sound:
                seconds = sound.getnframes() / sound.getframerate()
        except (OSError, EOFError, wave.Error) as error:
            return Spoken(text, False, reason=f"the speech engine wrote no sound to {path}: {error}")
        self._files.append(path)
        while len(self._files) > self.config.keep:
            self._files.pop(0).unlink(missing_ok=True)
        return Spoken(text, True, str(path), seconds)

    def close(self) -> None:
        return None


def make(config: VoiceConfig, muted: bool) -> Voice:
    """The voice to use: silent when muted."""
    return SilentVoice() if muted or config.output is VoiceOutput.OFF else EspeakVoice(config)


def has_sound_device() -> bool:
    """Whether ALSA lists a card or a sound server's socket is there."""
    cards = Path("/proc/asound/cards")
    try:
        listed = cards.is_file() and "no soundcards" not in cards.read_text()
    except OSError:
        listed = False
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    return listed or (runtime is not None and (Path(runtime) / "pulse" / "native").exists())


def _clean(text: str) -> str:
    return " ".join(str(text).split())[:MAX_LETTERS]


def _utter(text: str, path: Path | None, rate: int, outcome: list[str]) -> None:
    """Runs in a thread of its own, with an engine of its own; puts a reason into ``outcome`` when it fails."""
    try:
        from pyttsx3.engine import Engine

        with contextlib.redirect_stdout(io.StringIO()):  # the driver announces every file
            engine = Engine("espeak")
            engine.setProperty("rate", rate)
            if path is None:
                engine.say(text)
            else:
                engine.save_to_file(text, str(path))
            engine.runAndWait()
            engine.stop()
    except Exception as error:  # the engine is outside code and its errors are many
        outcome.append(f"no voice ({type(error).__name__}: {error}); install espeak-ng, or set muted")
