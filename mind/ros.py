"""Between the mind's published values (``mind.output``) and ROS messages. Lossless both ways (tested)."""

from __future__ import annotations

import zlib
from collections.abc import Mapping

from heed_msgs import msg as m
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import Marker, MarkerArray

from household import classes
from household.speech import SpeechAct
from household.ros import MAP, stamped, to_stamp
from household.scene_graph import SceneGraph
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


# -- RViz ------------------------------------------------------------------------------------------------------------------


def markers(minds: mo.Minds, graph: SceneGraph) -> MarkerArray:
    """Above everybody's head what they seem to want, and, in red, what they are wrong about. Frame: ``map``."""
    array = MarkerArray()
    for person, mind in minds.people.items():
        body = graph.entities.get(person)
        if body is None:
            continue
        goal = max(mind.goals, key=lambda g: g[1], default=None)
        wants = [f"wants: {goal[0]} {goal[1]:.2f}"] if goal is not None else []
        wrong = [f"thinks {_spoken(f.object)}: {_spoken(f.believed)} {f.probability:.2f}" for f in mind.false_beliefs]
        marker = Marker(ns="minds", id=zlib.crc32(person.encode()) >> 2, type=Marker.TEXT_VIEW_FACING, action=Marker.ADD,
                        text="\n".join(wants + wrong))
        p = marker.pose.position
        p.x, p.y, p.z = float(body.position[0]), float(body.position[1]), float(body.extents[2]) + 0.35
        marker.pose.orientation.w, marker.scale.z = 1.0, 0.12
        marker.color = ColorRGBA(r=0.8 if wrong else 0.1, g=0.1, b=0.1, a=1.0)
        array.markers.append(marker)
    return stamped(array, graph.stamp)


def _spoken(name: str) -> str:
    cls = classes.class_of(name)
    return classes.get(cls).spoken if cls in classes.CLASSES else name
