"""Between the mind's published values (``mind.output``) and ROS messages. Lossless both ways (tested)."""

from __future__ import annotations

from collections.abc import Mapping

from heed_msgs import msg as m

from household.actions import Verb
from household.goals import Goal, GoalKind
from household.speech import ActKind, SpeechAct
from household.ros import MAP, seconds, to_stamp
from mind import output as mo


def _locations(beliefs: Mapping[str, Mapping[str, float]]) -> list[m.Location]:
    return [m.Location(object=o, places=[m.Probability(key=k, p=float(p)) for k, p in places.items()])
            for o, places in beliefs.items()]


def _beliefs(locations) -> dict[str, dict[str, float]]:
    return {loc.object: {p.key: p.p for p in loc.places} for loc in locations}


def _evidence_message(e: mo.Evidence) -> m.Evidence:
    return m.Evidence(stamp=float(e.stamp), source=e.source.value, about=e.about, text=e.text, entity=e.entity or "",
                      log_likelihood=float(e.log_likelihood))


def evidence(message: m.Evidence) -> mo.Evidence:
    return mo.Evidence(message.stamp, mo.Source(message.source), message.about, message.text, message.entity or None,
                       message.log_likelihood)


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
                                     evidence=[_evidence_message(e) for e in f.evidence]) for f in p.false_beliefs],
        evidence=[_evidence_message(e) for e in p.evidence], searching=float(p.searching), heading=p.heading or "",
        room=p.room or "",
        social=[m.SocialGoal(towards=s.towards, help=float(s.help), hinder=float(s.hinder), independent=float(s.independent))
                for s in p.social],
        nested=[m.NestedBelief(other=o, beliefs=_locations(b)) for o, b in p.nested.items()])


def minds(message: m.Minds) -> mo.Minds:
    return mo.Minds(seconds(message.header.stamp), {p.person: _person(p) for p in message.people}, _beliefs(message.robot),
                    tuple(_act(a) for a in message.acts))


def _act_message(a: SpeechAct) -> m.SpeechAct:
    return m.SpeechAct(kind=a.kind.value, speaker=a.speaker, text=a.text, object=a.object or "", place=a.place or "",
                       person=a.person or "", certainty=float(a.certainty), understood=a.understood, reason=a.reason,
                       verb=a.verb.value if a.verb else "")


def _act(a: m.SpeechAct) -> SpeechAct:
    return SpeechAct(ActKind(a.kind), a.speaker, a.text, a.object or None, a.place or None, a.person or None, a.certainty,
                     a.understood, a.reason)


def _person(p: m.PersonMind) -> mo.PersonMind:
    return mo.PersonMind(
        p.person, _beliefs(p.beliefs),
        tuple((Goal(GoalKind(g.kind), tuple(g.targets), g.place or None, g.activity or None), g.p) for g in p.goals),
        tuple(mo.FalseBelief(f.person, f.object, f.believed, f.actual or None, f.probability, f.since,
                             tuple(evidence(e) for e in f.evidence)) for f in p.false_beliefs),
        tuple(evidence(e) for e in p.evidence), p.searching, p.heading or None, p.room or None,
        tuple(mo.SocialGoal(s.towards, s.help, s.hinder, s.independent) for s in p.social),
        {n.other: _beliefs(n.beliefs) for n in p.nested})
