"""Carrying a plan out, one atomic action at a time, watched against the world.

Design reason: the monitor is a pure step (what the body reports and what is seen in, what the body should do out), so every failure can
be played in a test; :class:`Executor` is the few lines that join it to a body. The robot's own doings leave here as events, the only
way the planner learns of them.
Invariant: whenever no step is running the body has been told to stop or has finished: the robot ends in a safe, still state, and a
``stand`` event says so. Nothing outside the grammar, and nothing whose preconditions are known to fail, is started.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from household.actions import AtomicAction, HumanAction, Verb
from household.scene_graph import ROBOT, SceneGraph

from planner import plans, recovery, speech
from planner.acts import HelpAct, HelpKind
from planner.body import Body, Report, StepStatus, read
from planner.config import PlannerConfig
from planner.geometry import Geometry
from planner.step import Cancel, Command, Execute, Say
from planner.wants import SEEN_JUST_NOW_S

SPEAK_S_PER_LETTER = 0.06
_SHOWN = frozenset({Verb.PICK, Verb.GIVE, Verb.PUTON, Verb.PUTIN, Verb.PLACE, Verb.OPEN, Verb.CLOSE, Verb.SWITCHON, Verb.SWITCHOFF,
                    Verb.MOVE, Verb.POINT, Verb.DROP})


class Phase(str, Enum):
    IDLE = "idle"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class ExecutionState:
    """``index``: the step under way. ``since``: when it was started. ``failing``: the step last repaired,
    ``tries`` times in a row; ``repairs``: of all steps of this plan. ``owned_up``: who was told of the last plan that failed, of what and why, if none has been done since."""

    phase: Phase = Phase.IDLE
    plan_id: int = 0
    act: HelpAct | None = None
    plan: tuple[AtomicAction, ...] = ()
    index: int = 0
    since: float = 0.0
    deadline: float = 0.0
    failing: AtomicAction | None = None
    tries: int = 0
    repairs: int = 0
    reason: str = ""
    owned_up: str = ""

    @property
    def current(self) -> AtomicAction | None:
        return self.plan[self.index] if self.phase is Phase.RUNNING and self.index < len(self.plan) else None


@dataclass(frozen=True)
class ExecutionInput:
    """``report``: the body's report on the current step, None while it has said nothing. ``stop``: an order to stand still."""

    stamp: float
    graph: SceneGraph
    report: Report | None = None
    command: Execute | Cancel | None = None
    stop: str = ""


@dataclass(frozen=True)
class ExecutionOutput:
    """``start``: give this to the body now. ``stop``: tell the body to stop first. ``say``: sentences. ``events``: the robot's acts."""

    start: AtomicAction | None = None
    stop: bool = False
    say: tuple[Say, ...] = ()
    events: tuple[HumanAction, ...] = ()


MAX_REPAIRS = 4


def step(state: ExecutionState, inp: ExecutionInput, config: PlannerConfig) -> tuple[ExecutionState, ExecutionOutput]:
    """One tick. Total; a command for another plan than the running one is no error."""
    if inp.stop or isinstance(inp.command, Cancel):
        reason = inp.stop or inp.command.reason
        mine = inp.stop or state.phase is not Phase.RUNNING or inp.command.plan_id == state.plan_id
        if state.phase is Phase.RUNNING and mine:
            return _end(state, Phase.CANCELLED, reason, inp.stamp)
        return state, ExecutionOutput(stop=bool(inp.stop))
    if isinstance(inp.command, Execute):
        return _begin(state, inp, inp.command, config)
    if state.phase is not Phase.RUNNING:
        return state, ExecutionOutput()
    return _watch(state, inp, config)


def _begin(state: ExecutionState, inp: ExecutionInput, command: Execute, config: PlannerConfig):
    running = state.phase is Phase.RUNNING
    fresh = ExecutionState(Phase.RUNNING, command.plan_id, command.act, command.plan, 0, inp.stamp, command.step_deadline,
                           owned_up=state.owned_up)
    problem = plans.problem(command.plan, plans.state_of(inp.graph, Geometry(inp.graph, config)), inp.graph)
    if problem or not command.plan:
        return _end(fresh, Phase.FAILED, problem or "there is nothing to do", inp.stamp, stop=running)
    state, out = _start(fresh, inp.stamp)
    return state, replace(out, stop=running)


def _start(state: ExecutionState, stamp: float) -> tuple[ExecutionState, ExecutionOutput]:
    state = replace(state, since=stamp)
    action = state.current
    if action.verb is Verb.SAY:
        return state, ExecutionOutput(say=(Say(action.args[0], action.args[1] if len(action.args) > 1 else None),))
    return state, ExecutionOutput(start=action)


def _watch(state: ExecutionState, inp: ExecutionInput, config: PlannerConfig) -> tuple[ExecutionState, ExecutionOutput]:
    action = state.current
    if action.verb is Verb.SAY:
        done = inp.stamp - state.since >= SPEAK_S_PER_LETTER * len(action.args[0])
        return _advance(state, inp, ()) if done else (state, ExecutionOutput())
    if _heard_from_here(state, inp, config):  # no need to come nearer, whether or not there is a way
        state, out = _advance(state, inp, ())
        return state, replace(out, stop=True)
    status = inp.report.status if inp.report is not None else StepStatus.RUNNING
    if status is StepStatus.SUCCEEDED:
        return _advance(state, inp, _shown(state, inp))
    if status is StepStatus.CANCELLED:
        return _end(state, Phase.CANCELLED, inp.report.reason or "it was stopped", inp.stamp)
    if status is StepStatus.FAILED:
        return _repair(state, inp, inp.report.reason or "it did not work", config)
    if inp.stamp - state.since > state.deadline:
        return _give_up(state, inp, f"{action} took longer than {state.deadline:.0f} s")
    if (now_at := recovery.moved_meanwhile(state.plan, state.index, state.act, inp.graph)) is not None:
        return _replan(state, inp, now_at, config)
    return state, ExecutionOutput()


def _heard_from_here(state: ExecutionState, inp: ExecutionInput, config: PlannerConfig) -> bool:
    """Whether the robot is only walking to somebody to tell them something, and they would hear it by now: where they were some time ago nobody may be."""
    listener = inp.graph.entities.get(state.act.person or "")
    if listener is None or not listener.visible and inp.stamp - listener.last_seen > SEEN_JUST_NOW_S:
        return False
    after = state.plan[state.index + 1] if state.index + 1 < len(state.plan) else None
    return (state.act.is_word and state.act.person is not None and state.current.verb is Verb.WALK and after is not None and after.verb is Verb.SAY
            and Geometry(inp.graph, config).in_earshot(state.act.person))


def _shown(state: ExecutionState, inp: ExecutionInput) -> tuple[HumanAction, ...]:
    """The finished step as an event others can use."""
    action = state.current
    if action.verb not in _SHOWN:
        return ()
    place = action.args[1] if len(action.args) > 1 else action.target
    if action.verb is Verb.PICK and place is None:
        place = state.act.place
    graph = inp.graph
    return (HumanAction(ROBOT, action.verb, action.args[0] if action.args else None, place, graph.room_of(ROBOT), state.since,
                        inp.stamp),)


def _advance(state: ExecutionState, inp: ExecutionInput,
             events: tuple[HumanAction, ...]) -> tuple[ExecutionState, ExecutionOutput]:
    over = state.current == state.failing
    state = replace(state, index=state.index + 1, tries=0 if over else state.tries, failing=None if over else state.failing)
    if state.index >= len(state.plan):
        state, out = _end(state, Phase.DONE, "", inp.stamp, stop=False)
    else:
        state, out = _start(state, inp.stamp)
    return state, replace(out, events=(*events, *out.events))


def _repair(state: ExecutionState, inp: ExecutionInput, reason: str,
            config: PlannerConfig) -> tuple[ExecutionState, ExecutionOutput]:
    if state.act.person is not None and inp.graph.holder_of(state.act.object or "") == state.act.person:
        return _end(state, Phase.CANCELLED, f"{state.act.person} has it already", inp.stamp)
    tries = state.tries if state.failing == state.current else 0
    rest = recovery.repaired(state.plan, state.index, state.act, inp.graph, tries, config)
    if rest is None or state.repairs >= MAX_REPAIRS:
        return _give_up(state, inp, reason)
    state = replace(state, failing=state.current, tries=tries + 1, repairs=state.repairs + 1, plan=rest, index=0)
    return _start(state, inp.stamp)


def _replan(state: ExecutionState, inp: ExecutionInput, now_at: str, config: PlannerConfig):
    """The object was seen elsewhere before it was picked: go there, unless somebody has it."""
    entity = inp.graph.entities.get(now_at)
    if now_at == state.act.person:
        return _end(state, Phase.CANCELLED, f"{now_at} has it already", inp.stamp)
    geometry = Geometry(inp.graph, config)
    moved = replace(state.act, place=now_at)
    plan = () if entity is None or state.repairs >= MAX_REPAIRS else plans.make(moved, inp.graph, geometry)
    if not plan or state.act.kind is not HelpKind.FETCH:
        return _give_up(state, inp, "somebody took it")
    state = replace(state, act=moved, plan=plan, index=0, tries=0, repairs=state.repairs + 1)
    state, out = _start(state, inp.stamp)
    return state, replace(out, stop=True)


def _give_up(state: ExecutionState, inp: ExecutionInput, reason: str) -> tuple[ExecutionState, ExecutionOutput]:
    """Fail with an honest word to the person it was for; trying again in vain, or another way with the same thing, is no news."""
    failed = f"{state.act.person} {state.act.object} {reason}"
    news = bool(state.act.person) and failed != state.owned_up
    words = speech.failure(state.act, inp.graph, reason.rstrip("."))
    state, out = _end(replace(state, owned_up=failed), Phase.FAILED, reason, inp.stamp)
    return state, replace(out, say=(Say(words, state.act.person),) if news else ())


def _end(state: ExecutionState, phase: Phase, reason: str, stamp: float, stop: bool = True):
    """Still, whatever happened; a ``stand`` event tells the planner."""
    state = replace(state, phase=phase, reason=reason, owned_up="" if phase is Phase.DONE else state.owned_up)
    return state, ExecutionOutput(stop=stop, events=(HumanAction(ROBOT, Verb.STAND, start=stamp, end=stamp),))


class Executor:
    """Joins the monitor to a body. ``tick`` once per control period; never blocks, never raises on a body's failure."""

    def __init__(self, body: Body, config: PlannerConfig):
        self.body, self.config = body, config
        self.state = ExecutionState()
        self._refused = ""

    def tick(self, stamp: float, graph: SceneGraph, commands: tuple[Command, ...] = (), stop: str = "") -> ExecutionOutput:
        """Feed commands (``Say`` is passed through), poll the body, carry the monitor's orders out. Returns what others must
        know: sentences to say and the robot's events."""
        say = tuple(c for c in commands if isinstance(c, Say))
        events: tuple[HumanAction, ...] = ()
        orders = [c for c in commands if isinstance(c, (Execute, Cancel))]
        for command in orders or [None]:
            report = None if command is not None or stop else self._poll()
            self.state, out = step(self.state, ExecutionInput(stamp, graph, report, command, stop), self.config)
            self._obey(out)
            say, events = (*say, *out.say), (*events, *out.events)
        return ExecutionOutput(say=say, events=events)

    def _poll(self) -> Report | None:
        if self._refused:
            reason, self._refused = self._refused, ""
            return Report(StepStatus.FAILED, reason)
        action = self.state.current
        if action is None or action.verb is Verb.SAY:
            return None
        try:
            return read(self.body.poll())
        except Exception as error:  # a body is outside code: whatever it raises is a failed step
            return Report(StepStatus.FAILED, f"the body reported an error ({type(error).__name__}: {error})")

    def _obey(self, out: ExecutionOutput) -> None:
        if out.stop:
            try:
                self.body.stop()
            except Exception as error:
                self._refused = f"the body did not stop ({error})"
        if out.start is not None:
            try:
                self._refused = self.body.can(out.start)
                if not self._refused:
                    self.body.start(out.start)
            except Exception as error:
                self._refused = f"the body refused ({error})"
