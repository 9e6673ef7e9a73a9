"""From the mind's ROS messages, live or recorded, to ``mind.output``: by attribute access alone (see ``household.wire``)."""

from __future__ import annotations

from household.actions import Verb
from household.goals import Goal, GoalKind
from household.speech import ActKind, SpeechAct
from household.wire import seconds
from mind import output as mo


def _beliefs(locations) -> dict[str, dict[str, float]]:
    return {loc.object: {p.key: p.p for p in loc.places} for loc in locations}


def evidence(message) -> mo.Evidence:
    return mo.Evidence(message.stamp, mo.Source(message.source), message.about, message.text, message.entity or None,
                       message.log_likelihood)


def minds(message) -> mo.Minds:
    return mo.Minds(seconds(message.header.stamp), {p.person: _person(p) for p in message.people}, _beliefs(message.robot),
                    tuple(_act(a) for a in message.acts))


def _person(p) -> mo.PersonMind:
    return mo.PersonMind(
        p.person, _beliefs(p.beliefs),
        tuple((Goal(GoalKind(g.kind), tuple(g.targets), g.place or None, g.activity or None), g.p) for g in p.goals),
        tuple(mo.FalseBelief(f.person, f.object, f.believed, f.actual or None, f.probability, f.since,
                             tuple(evidence(e) for e in f.evidence)) for f in p.false_beliefs),
        tuple(evidence(e) for e in p.evidence), p.searching, p.heading or None, p.room or None,
        tuple(mo.SocialGoal(s.towards, s.help, s.hinder, s.independent) for s in p.social),
        {n.other: _beliefs(n.beliefs) for n in p.nested})


def _act(a) -> SpeechAct:
    return SpeechAct(ActKind(a.kind), a.speaker, a.text, a.object or None, a.place or None, a.person or None, a.certainty,
                     a.understood, a.reason,
                     Verb(a.verb) if a.verb else None)
