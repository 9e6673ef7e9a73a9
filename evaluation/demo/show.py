"""What the terminal shows while a story runs: the timeline as it grows, and where the story stands."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from evaluation.demo.timeline import Line

_STYLE = {"act": "", "mind": "magenta", "word": "bold cyan", "decision": "bold green"}


class Display:
    def __init__(self, story: str, quiet: bool = False):
        self.console = Console(highlight=False, soft_wrap=True)
        self._quiet, self._story = quiet, story
        self._status = None

    def __enter__(self) -> "Display":
        self.console.print(Text(f"Story: {self._story}", style="bold"))
        if not self._quiet and self.console.is_terminal:
            self._status = self.console.status("starting the nodes …")
            self._status.start()
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def close(self) -> None:
        if self._status is not None:
            self._status.stop()
            self._status = None

    def line(self, line: Line) -> None:
        self.console.print(Text(str(line), style=_STYLE.get(line.kind, "")))

    def error(self, text: str) -> None:
        """What a node reports on /diagnostics as an error: a simulator that went away, a frame that cannot be used."""
        self.console.print(Text(f"  ! {text}", style="red"))

    def progress(self, now: float) -> None:
        if self._status is not None and now > 0:
            self._status.update(f"{now:.1f} s of the story")

    def verdict(self, outcome) -> None:
        v = outcome.verdict
        style = "green" if v.right else "red"
        delay = f", decided {v.delay:+.1f} s from when the search began" if v.delay is not None else ""
        self.console.print(Text(f"→ {'right' if v.right else 'wrong'}: {v.reason}{delay} "
                                f"({outcome.simulated:.0f} s of story in {outcome.seconds:.0f} s)", style=f"bold {style}"))
        if v.names:
            self.console.print(f"  {v.names}")
        for name in ("storyboard.png", "timeline.txt", "decisions.json", "bag"):
            self.console.print(f"  {outcome.folder / name}")
