"""Between the mind's published values (``mind.output``) and ROS messages. Lossless both ways (tested)."""

from __future__ import annotations

from collections.abc import Mapping

from heed_msgs import msg as m

from household.speech import SpeechAct
from household.ros import MAP, to_stamp
from mind import output as mo
from mind.wire import evidence, minds  # noqa: F401


def _locations(beliefs: Mapping[str, Mapping[str, float]]) -> list[m.Location]:
    return [m.Location(object=o, places=[m.Probability(key=k, p=float(p)) for k, p in places.items()])
            for o, places in beliefs.items()]


def evidence_message(e: mo.Evidence) -> m.Evidence:
    return m.Evidence(stamp=float(e.stamp), source=e.source.value, about=e.about, text=e.text, entity=e.entity or "",
                      log_likelihood=float(e.log_likelihood))


def minds_message(minds: mo.Minds) -> m.Minds:
    message = m.Minds(people=[_person_message(p) for p in minds.people.values()], robot=_locations(minds.robot),
                      acts=[_act_message(a) for a in minds.acts])
    message.header.stamp, message.header.frame_id = to_stamp(minds.stamp), MAP
    return message


def _person_message(p: mo.PersonMind) -> m.PersonMind:
    return m.PersonMind(
        person=p.person, beliefs=_locations(p.beliefs),
        goals=[m.Goal(kind=g.kind.value, targets=list(g.targets), place=g.place or "", activity=g.activity or "", p=float(v))
               for g, v in p.goals],
        false_beliefs=[m.FalseBelief(person=f.person, object=f.object, believed=f.believed, actual=f.actual or "",
                                     probability=float(f.probability), since=float(f.since),
                                     evidence=[evidence_message(e) for e in f.evidence]) for f in p.false_beliefs],
        evidence=[evidence_message(e) for e in p.evidence], searching=float(p.searching), heading=p.heading or "",
        room=p.room or "",
        social=[m.SocialGoal(towards=s.towards, help=float(s.help), hinder=float(s.hinder), independent=float(s.independent))
                for s in p.social],
        nested=[m.NestedBelief(other=o, beliefs=_locations(b)) for o, b in p.nested.items()])


def _act_message(a: SpeechAct) -> m.SpeechAct:
    return m.SpeechAct(kind=a.kind.value, speaker=a.speaker, text=a.text, object=a.object or "", place=a.place or "",
                       person=a.person or "", certainty=float(a.certainty), understood=a.understood, reason=a.reason,
                       verb=a.verb.value if a.verb else "")


