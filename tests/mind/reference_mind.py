"""A second, naive account of the same generative model, for comparison: dictionaries, loops, and every hidden path spelled out.

It shares no inference code with ``mind``: beliefs are dictionaries, targets are drawn from their definition, the posterior is a sum over all paths
(goal and target before and after every chance event). Only usable for tiny worlds.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field

from household.goals import GoalKind


@dataclass
class Ref:
    """``sites``: ids without ELSEWHERE; ``room``: site → room site; ``is_room``, ``opens``, ``holds``: sets of ids. ``effort``: nested dict of nats."""

    config: object
    sites: list
    room: dict
    is_room: set
    opens: set
    holds: set
    effort: dict
    goals: list
    prior: list
    objects: dict  # id → class
    here: str
    closed: set
    sure: dict = field(default_factory=dict)
    unsure: dict = field(default_factory=dict)
    open_to: dict = field(default_factory=dict)
    holding: list = field(default_factory=list)
    finished: set = field(default_factory=set)

    def __post_init__(self):
        self.all = self.sites + ["elsewhere"]
        for o in self.objects:
            self.sure[o] = {s: 0.0 for s in self.all}
            self.unsure[o] = 1.0
            self.open_to[o] = {s: (self.config.elsewhere_weight if s == "elsewhere" else float(s in self.holds)) for s in self.all}
        self.paths = [((g, k, z), p * q) for g, p in zip(self.goals, self.prior) for (k, z), q in self.targets(g).items()]

    # what a goal needs
    def satisfied(self, g):
        return g.kind is GoalKind.GET and any(t in self.holding for t in g.targets)

    def idle(self, g):
        return g.kind is GoalKind.NONE or g in self.finished or self.satisfied(g)

    def fetches(self, g):
        if self.idle(g) or (g.kind is GoalKind.PUT and g.targets[0] in self.holding):
            return []
        return [t for t in g.targets if t not in self.holding] if g.kind in (GoalKind.GET, GoalKind.PUT) else []

    def goes(self, g):
        if g.kind is GoalKind.PUT and not self.idle(g) and g.targets[0] in self.holding:
            return [g.place] if g.place else [s for s in self.sites if s in self.holds and s not in self.is_room]
        return []

    def targets(self, g, sure=None, unsure=None, open_to=None):
        sure, unsure, open_to = sure or self.sure, unsure or self.unsure, open_to or self.open_to
        near = {s: math.exp(-self.effort[self.here][s] - (self.config.open_cost if s in self.closed and s in self.opens else 0)) for s in self.all}
        go = self.goes(g)
        if go:
            total = sum(near[s] for s in go)
            return {(0, s): near[s] / total for s in go}
        objs = [o for o, c in self.objects.items() if c in self.fetches(g)]
        if not objs:
            return {(0, "elsewhere"): 1.0}
        none_sure = math.prod(unsure[o] for o in objs)
        known = {s: sum(sure[o][s] for o in objs) * near[s] for s in self.all}
        guess = {s: 0.0 for s in self.all}
        for o in objs:
            total = sum(open_to[o].values())
            for s in self.all:
                guess[s] += unsure[o] * open_to[o][s] / total * near[s]
        out = {}
        share = 0.0 if sum(known.values()) <= 1e-12 else (1 - none_sure if sum(guess.values()) > 1e-12 else 1.0)
        for s in self.all:
            if known[s] and share:
                out[(0, s)] = share * known[s] / sum(known.values())
            if guess[s] and share < 1:
                out[(1, s)] = (1 - share) * guess[s] / sum(guess.values())
        return out

    # where one is
    def at(self, s):
        return s == self.here or (s in self.is_room and s == self.room.get(self.here))

    # policy
    def options(self):
        acts = [("walk", s, None) for s in self.sites if not self.at(s)]
        if self.here in self.opens:
            acts.append(("open" if self.here in self.closed else "close", self.here, None))
        acts += [("pick", self.here, c) for c in self.classes()]
        acts += [("put", self.here, c) for c in sorted(set(self.holding))]
        return acts + [("pause", self.here, None)]

    def classes(self):
        return list(dict.fromkeys(t for g in self.goals for t in g.targets))

    def noise(self, act):
        walks = [s for s in self.sites if not self.at(s)]
        shares = len(walks) + (self.here in self.opens) + bool(self.classes()) + bool(self.holding)
        kind = act[0]
        if kind == "pick":
            return 1 / len(self.classes()) / shares
        if kind == "put":
            return 1 / len(set(self.holding)) / shares
        return 1 / shares

    def useful(self, act, g, z):
        """exp(-rationality · waste)."""
        c = self.config
        kind, s, cls = act
        if kind == "walk":
            e = self.effort
            waste = max(0.0, e[self.here][s] + e[s][z] - e[self.here][z]) + (c.stop_cost if s != z and s not in self.is_room else 0.0)
            return math.exp(-c.rationality * waste)
        if not self.at(z):
            return 0.0
        shut = z in self.closed and z in self.opens
        if kind == "open":
            return float(shut)
        if kind == "pick":
            return float(cls in self.fetches(g) and not shut)
        if kind == "put":
            return float(z in self.goes(g) and cls in g.targets and not shut)
        return 0.0

    def probability(self, act, g, z):
        c = self.config
        pause = c.idle_pause_rate if self.idle(g) else c.pause_rate
        if act[0] == "pause":
            return pause
        if self.idle(g) or z == "elsewhere":
            move, busy = self.noise(act), False
        else:
            scale = sum(self.useful(("walk", s, None), g, z) for s in self.sites if not self.at(s)) + self.at(z)
            move = (1 - c.act_noise) * self.useful(act, g, z) / scale + c.act_noise * self.noise(act)
            busy = self.at(z)
        if self.here in self.opens and self.here not in self.closed and not busy:
            move = c.close_habit * (act[0] == "close") + (1 - c.close_habit) * move
        return (1 - pause) * move

    # chance events on every path
    def branch(self, rule):
        """``rule(hidden) -> [(hidden, probability)]``; every path splits."""
        self.paths = [(h2, w * q) for h, w in self.paths for h2, q in rule(h) if q > 0]
        if len(self.paths) > 200_000:
            raise RuntimeError("too many paths for a reference")

    def act(self, act):
        starters = [p * (not self.satisfied(g)) for g, p in zip(self.goals, self.prior)]
        total = sum(starters)
        after_finish = self.finished
        ended = {g: (self.config.start_rate if g.kind is GoalKind.NONE else self.config.goal_finish_rate if g in self.finished or self.satisfied(g)
                     else self.config.goal_switch_rate) for g in self.goals}
        self.finished = set()
        fresh = [((g, k, z), p / total * q) for g, p in zip(self.goals, starters) if p for (k, z), q in self.targets(g).items()]
        self.branch(lambda h: [(h, 1 - ended[h[0]])] + [(f, ended[h[0]] * q) for f, q in fresh])
        resumed = {g for g in after_finish if g.kind is not GoalKind.NONE}
        if resumed:  # whoever goes on with a finished goal starts it afresh
            self.branch(lambda h: [((h[0], k, z), q) for (k, z), q in self.targets(h[0]).items()] if h[0] in resumed else [(h, 1.0)])

        def rethink(h):
            g, k, z = h
            guesses = {t: q for t, q in self.targets(g).items() if t[0] == 1}
            mass = sum(guesses.values())
            if k == 0 or mass <= 1e-12:
                return [(h, 1.0)]
            r = self.config.rethink_rate
            return [(h, 1 - r)] + [((g, kk, zz), r * q / mass) for (kk, zz), q in guesses.items()]

        self.branch(rethink)
        self.branch(lambda h: [(h, self.probability(act, h[0], h[2]))])

    def after(self, act):
        kind, s, cls = act
        before = {g: (self.fetches(g), self.goes(g), self.idle(g)) for g in self.goals}
        if kind == "walk":
            self.here = s
        elif kind == "open":
            self.closed = self.closed - {s}
        elif kind == "close":
            self.closed = self.closed | {s}
        elif kind == "pick":
            self.holding.append(cls)
        elif kind == "put":
            self.holding.remove(cls)
            self.finished |= {g for g in self.goals if g.kind is GoalKind.PUT and g.targets[0] == cls and g.place in (None, s)}
        changed = {g for g in self.goals if before[g] != (self.fetches(g), self.goes(g), self.idle(g))}
        if changed:
            self.branch(lambda h: [((h[0], k, z), q) for (k, z), q in self.targets(h[0]).items()] if h[0] in changed else [(h, 1.0)])

    def perceive(self, seen, inspected, p):
        """``seen``: object → site; ``inspected``: set of sites. Noticed as a whole with probability p for each hidden path."""
        def updated(p):
            sure, unsure, open_to = {}, {}, {}
            for o in self.objects:
                sure[o], open_to[o], unsure[o] = dict(self.sure[o]), dict(self.open_to[o]), self.unsure[o]
                for s in inspected:
                    if seen.get(o) != s:
                        unsure[o] += p * sure[o][s]
                        sure[o][s] *= 1 - p
                        open_to[o][s] *= 1 - p
                if o in seen and self.sure[o][seen[o]] < 1 - 1e-9:
                    before_here = open_to[o][seen[o]]
                    open_to[o] = {s: w if s == "elsewhere" else w * (1 - p * sure[o][s]) for s, w in open_to[o].items()}
                    open_to[o][seen[o]] = max(before_here, p)
                    sure[o] = {s: q * (1 - p) for s, q in sure[o].items()}
                    unsure[o] *= 1 - p
                    sure[o][seen[o]] += p
            return sure, unsure, open_to

        certain, before = updated(1.0), {o: self.sure[o].get(seen.get(o), 0.0) for o in self.objects}
        news = {o for o in seen if before[o] < 1 - 1e-9}

        def react(h):
            g, k, z = h
            objs = [o for o, c in self.objects.items() if c in self.fetches(g)]
            if not objs:
                return [(h, 1.0)]
            weights = {o: (self.sure[o][z] if k == 0 else self.open_to[o][z]) for o in objs}
            gone = {o: p * (z in inspected and seen.get(o) != z) for o in objs}
            total = sum(weights.values())
            rate = sum(weights[o] * gone[o] for o in objs) / total if total > 1e-12 else sum(gone.values()) / len(objs)
            if z == "elsewhere":
                rate = 0.0
            if any(o in news for o in objs) and not (k == 0 and any(o in news and seen[o] == z for o in objs)):
                rate = max(rate, p)
            elif any(o in news and seen[o] == z for o in objs):
                rate = 0.0
            return [(h, 1 - rate)] + [((g, kk, zz), rate * q) for (kk, zz), q in self.targets(g, *certain).items()]

        self.branch(react)
        self.sure, self.unsure, self.open_to = updated(p)

    def posterior(self):
        """(hidden state → probability, evidence)."""
        total = sum(w for _, w in self.paths)
        out = defaultdict(float)
        for h, w in self.paths:
            out[h] += w / total
        return dict(out), total
