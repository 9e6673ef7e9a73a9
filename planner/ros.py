"""The decision as a message, and the voice node: what the robot says, aloud or as WAV files, and always as text on a topic."""

from __future__ import annotations

import json
import sys
import threading

from household import environment

environment.prepare()

from heed_msgs import msg as m
from heed_msgs.action import Say
from rclpy.action import ActionServer
from rclpy.node import Node
from rclpy.task import Future

from household import ros
from household.actions import Utterance
from household.scene_graph import ROBOT
from planner.acts import HelpKind
from planner.decision import Decision
from planner.symbols import Layer
from planner.voice import Spoken, VoiceConfig, make


def decision_message(decision: Decision) -> m.Decision:
    words = {layer: decision.words.get(layer, "") for layer in Layer}
    symbols = {layer: [str(t) for t in terms] for layer, terms in decision.symbols.layers()}
    message = m.Decision(
        perception=words[Layer.PERCEPTION], belief=words[Layer.BELIEF], desire=words[Layer.DESIRE],
        intention=words[Layer.INTENTION], decision=words[Layer.DECISION], action=decision.action_text(),
        belief_symbols=symbols[Layer.BELIEF], desire_symbols=symbols[Layer.DESIRE], intention_symbols=symbols[Layer.INTENTION],
        decision_symbols=symbols[Layer.DECISION], action_symbols=[str(a) for a in decision.plan],
        helps=decision.act.kind is not HelpKind.NOTHING, person=decision.act.person or "",
        candidates=[_candidate(v) for v in decision.values], json=json.dumps(decision.to_dict()))
    message.header.stamp, message.header.frame_id = ros.to_stamp(decision.stamp), ros.MAP
    return message


def _candidate(value) -> m.Candidate:
    terms = [m.Term(name=n, seconds=float(getattr(value, n))) for n in ("saved", "answer", "robot", "bother", "risk")]
    return m.Candidate(act=value.act.key, value=float(value.total), terms=terms)


class VoiceNode(Node):
    """Says one sentence at a time. The utterance is published when speaking starts: hearing does not wait for the sound."""

    def __init__(self) -> None:
        super().__init__("voice")
        self.config = ros.declare(self, VoiceConfig)
        self.voice = make(self.config, muted=False)
        self.said = self.create_publisher(m.Utterance, "/heed/utterances", ros.KEPT)
        self.server = ActionServer(self, Say, "/heed/say", self._say)
        self.diagnostics = ros.Diagnostics(self, "voice")
        self._lock = threading.Lock()

    async def _say(self, handle) -> Say.Result:
        goal = handle.request
        stamp = ros.seconds(goal.stamp) or self.get_clock().now().nanoseconds * 1e-9
        self.said.publish(ros.utterance_message(Utterance(ROBOT, goal.text, stamp, goal.addressee or None)))
        finished: Future = Future(executor=self.executor)
        threading.Thread(target=self._speak, args=(goal.text, finished), daemon=True).start()
        spoken: Spoken = await finished
        if spoken.ok:
            self.diagnostics.report(ros.Diagnostics.OK, "speaking")
            handle.succeed()
        else:
            self.diagnostics.report(ros.Diagnostics.WARN, f"could not be spoken: {spoken.reason}")
            handle.abort()
        return Say.Result(success=spoken.ok, wav=spoken.wav or "", reason=spoken.reason)

    def _speak(self, text: str, finished: Future) -> None:
        with self._lock:
            finished.set_result(self.voice.speak(text))

    def close(self) -> None:
        self.voice.close()


def main() -> int:
    return ros.run_node(VoiceNode, sys.argv)


if __name__ == "__main__":
    sys.exit(main())
