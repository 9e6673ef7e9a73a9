"""Scoring runs of scenarios: was the decision right, did it help, was anybody bothered; and how well the six layers hold together.

Beside what the paper measures (agreement with gold sequences, consistency of the layers, the robot's own perspective) stand what only a world
can tell: the goal reached, seconds saved against the same story without a robot, acts on controls, repeated sentences.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from household.actions import Verb
from planner.acts import HelpKind
from planner.decision import Decision
from planner.symbols import Content, Layer, Predicate, Term

from evaluation.mind_reward import mind_reward
from evaluation.scenarios import Family, Scenario
from evaluation.scenarios_gold import gold_sequences
from evaluation.scenarios_run import Run

SURE = 0.5  # a false belief counts as found from this probability on
_MIN_GAIN_S = 0.3


def answer_sequence(decision: Decision) -> tuple[str, ...]:
    """The decision's atomic actions; of a sentence only that it is said, and to whom."""
    plan = [f"say({a.args[1]})" if a.verb is Verb.SAY and len(a.args) > 1 else str(a) for a in decision.plan]
    return (*(str(t) for _, terms in decision.symbols.layers() for t in terms), *plan)


def item(scenario: Scenario, alone: Run, run: Run) -> dict:
    """One line of the result."""
    first = run.acts[0] if run.acts else None
    right = (first is None) if scenario.control else (first is not None and any(w.accepts(first.act) for w in scenario.accept))
    row = {"name": scenario.name, "family": scenario.family.value, "variant": scenario.variant.value, "control": scenario.control,
           "home": scenario.home.name, "people": scenario.people, "right": right,
           "act": first.act.key if first else "nothing()", "said": run.said, "acts": len(run.acts),
           "repeats": len(run.said) - len(set(run.said)), "failures": run.failures,
           "decided_ms": [round(ms, 2) for ms in run.decided_ms]}
    row["beliefs"] = [[b.person, b.object, b.false, round(b.said, 4)] for b in run.beliefs if b.false or b.said >= 0.05]
    if scenario.control:
        return row
    seconds, without = _search(run), _search(alone)
    row.update(seconds=None if run.reached is None else round(seconds, 2), seconds_alone=None if alone.reached is None else round(without, 2))
    row["helped"] = run.reached is not None and (alone.reached is None or seconds < without - _MIN_GAIN_S)
    row["seconds_saved"] = round(without - seconds, 2)
    golds = gold_sequences(scenario, run)
    row["mind_reward"] = max((mind_reward(answer_sequence(first), g) for g in golds), default=0.0) if first else 0.0
    row["bdi_consistency"] = bdi_consistency(first) if first else 0
    row["robot_centric"] = robot_centric(first) if first else 0
    row["decided_after_s"] = None if first is None or run.since is None else round(first.since - run.since, 2)
    return row


def _search(run: Run) -> float:
    """Seconds from the need to its end; until the story stopped when it never ended."""
    if run.since is None:
        return 0.0
    return max(0.0, (run.reached if run.reached is not None else run.end) - run.since)


# the layers


def _names(terms: Iterable[Term]) -> set[str]:
    found: set[str] = set()
    for t in terms:
        found |= {a for a in t.args if isinstance(a, str)} | {x for x in (t.source, t.target) if x}
        found |= _names(a for a in t.args if isinstance(a, Term))
    return found


def bdi_consistency(decision: Decision) -> int:
    """0 to 10: does each layer follow from the one above? Two points each; our rules for what the paper asks a model to judge.

    Belief speaks of somebody or something perceived or acted on; desire of the same person or thing; intention of what is
    desired; the decision carries out the intention and is no mere offer of help; the plan ends in the decided act.
    """
    s, act = decision.symbols, decision.act
    seen, belief, desire = _names(s.perception), _names(s.belief), _names(s.desire)
    intention, decided = _names(s.intention), _names(t for t in s.decision if t.functor == Predicate.MAKE_DECISION.value)
    subject = {n for n in (act.person, act.object) if n}
    score = 2 * bool(s.belief and (belief & (seen | subject)))
    score += 2 * bool(s.desire and desire & belief - {"robot"})
    score += 2 * bool(s.intention and intention & desire - {"robot"})
    same = {str(t.args[1]) for t in s.intention if len(t.args) == 2} & {str(t.args[1]) for t in s.decision if len(t.args) == 2}
    score += 2 * bool(same and act.kind is not HelpKind.ASK)
    last = decision.plan[-1] if decision.plan else None
    done = last is not None and (set(last.args) & subject) and (not decided or set(last.args) & decided or last.verb is Verb.SAY)
    return score + 2 * bool(done)


def robot_centric(decision: Decision) -> int:
    """0 to 4, the paper's four questions by rule: actions rather than scenery perceived; beliefs about a mind (or, for a chore, the
    robot's own knowledge); where views differ both are stated; the act is more than a question."""
    s = decision.symbols
    heads = {t.functor for t in s.belief}
    inner = {t.args[1].functor for t in s.belief if len(t.args) == 2 and isinstance(t.args[1], Term)}
    own = heads & {Predicate.KNOW.value, Predicate.UNKNOW.value, Predicate.HOLD_TRUE_BELIEF.value}
    theirs = heads & {Predicate.ATTRIBUTE_BELIEF.value, Predicate.LACK_BELIEF.value}
    differ = any(t.functor == Predicate.RESOLVE_MISBELIEF.value for t in s.decision)
    return (int(bool(s.perception) or "said" in decision.words.get(Layer.PERCEPTION, "")) + int(bool(theirs or own))
            + int(not differ or bool(own and Content.HUMAN_BELIEVES.value in inner)) + int(decision.act.kind is not HelpKind.ASK))


# the whole set


def _mean(values: Iterable[float]) -> float | None:
    rows = [float(v) for v in values]
    return round(sum(rows) / len(rows), 4) if rows else None


def belief_scores(rows: Sequence[Mapping]) -> dict:
    """Precision and recall of false beliefs over every (person, object) of every run; ``nll`` and ``ece`` of their probabilities."""
    pairs = [(bool(f), float(p)) for r in rows for _, _, f, p in r["beliefs"]]
    hit = sum(f and p >= SURE for f, p in pairs)
    said, true = sum(p >= SURE for _, p in pairs), sum(f for f, _ in pairs)
    nll = _mean(-math.log(min(1 - 1e-6, max(1e-6, p if f else 1 - p))) for f, p in pairs)
    bins = [[(f, p) for f, p in pairs if i / 10 <= p < (i + 1) / 10 or (i == 9 and p == 1.0)] for i in range(10)]
    ece = sum(abs(sum(p for _, p in b) - sum(f for f, _ in b)) for b in bins) / len(pairs) if pairs else None
    return {"precision": round(hit / said, 4) if said else None, "recall": round(hit / true, 4) if true else None, "true": true,
            "found": said, "nll": nll, "ece": None if ece is None else round(ece, 4)}


def group(rows: Sequence[Mapping]) -> dict:
    """Scores of some items, controls included."""
    real, controls = [r for r in rows if not r["control"]], [r for r in rows if r["control"]]
    return {"count": len(real), "controls": len(controls), "accuracy": _mean(r["right"] for r in rows),
            "decision_accuracy": _mean(r["right"] for r in real), "helped_rate": _mean(r["helped"] for r in real),
            "seconds_saved_mean": _mean(r["seconds_saved"] for r in real),
            "false_correction_rate": _mean(not r["right"] for r in controls), "repeats": sum(r["repeats"] for r in rows),
            "mind_reward": _mean(r["mind_reward"] for r in real), "bdi_consistency": _mean(r["bdi_consistency"] for r in real),
            "robot_centric": _mean(r["robot_centric"] for r in real)}


def summary(rows: Sequence[Mapping]) -> dict:
    """The result of a set, with the groups and the trivial baselines beside it."""
    beliefs = belief_scores(rows)
    implicit = [r for r in rows if r["family"] != Family.FALSE_BELIEF.value]
    by_family = {f.value: group(sub) for f in Family if (sub := [r for r in rows if r["family"] == f.value])}
    variants = sorted({r["variant"] for r in rows})
    return {**group(rows), "count": len(rows), "false_belief": {k: beliefs[k] for k in ("precision", "recall", "true", "found")},
            "nll": beliefs["nll"], "ece": beliefs["ece"], "by_family": by_family, "implicit": group(implicit) if implicit else None,
            "by_type": {v: group([r for r in rows if r["variant"] == v]) for v in variants}, "baselines": baselines(rows),
            "mix": mix(rows), "decision_ms": latency([ms for r in rows for ms in r["decided_ms"]])}


def mix(rows: Sequence[Mapping]) -> dict:
    """What the scenarios are, controls left out: how many of each family, with how many people, in which homes."""
    real = [r for r in rows if not r["control"]]
    return {key: dict(sorted(Counter(str(r[name]) for r in real).items()))
            for key, name in (("families", "family"), ("people", "people"), ("homes", "home"))}


def latency(ms: Sequence[float]) -> dict:
    """From the deciding frame to the decision, ms; None while nothing was decided."""
    rows = sorted(ms)
    return {"count": len(rows), **{f"p{q}": round(rows[min(len(rows) - 1, len(rows) * q // 100)], 2) if rows else None for q in (50, 95, 99)}}


def baselines(rows: Sequence[Mapping]) -> dict:
    """Accuracy of two robots without judgement: one that never acts, one that corrects every false belief it finds."""
    if not rows:
        return {}

    def corrects(r: Mapping) -> bool:
        found = any(p >= SURE for _, _, _, p in r["beliefs"])
        if r["control"]:
            return not found
        return r["family"] == Family.FALSE_BELIEF.value and found

    return {"never acts": _mean(r["control"] for r in rows), "corrects every false belief": _mean(corrects(r) for r in rows)}
