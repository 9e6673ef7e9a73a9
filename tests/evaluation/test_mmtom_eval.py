"""``heed eval mmtom`` on items of our own, written unlike anybody else's, and on the development half where it is at hand."""

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from evaluation.cli import main
from evaluation.commands.eval_mmtom import evaluate_items, load_closeness
from evaluation.mmtom_items import item_of, load
from evaluation.mmtom_perturb import Perturbation, perturbed
from evaluation.mmtom_solve import drop_visits, read, solve
from household.actions import Verb
from mind.config import MindConfig

ROOT = Path(__file__).resolve().parents[2]
OWN = ROOT / "tests" / "data" / "mmtom_own.jsonl"
SHARED = ROOT.parent / "shared" / "benchmarks" / "mmtom_qa"
CONFIG = MindConfig()
with_shared = pytest.mark.skipif(not (SHARED / "questions_dev.json").exists(), reason=f"the development half is not at {SHARED}")


def rows():
    return [json.loads(line) for line in OWN.read_text().splitlines()]


def run(tmp_path, *extra, questions=OWN):
    out = tmp_path / "report.json"
    code = main(["eval", "mmtom", "--questions", str(questions), "--output", str(out), *extra])
    return code, json.loads(out.read_text())


def answers(items):
    return [solve(read(i), CONFIG).p for i in items]


def test_report_on_own_items(tmp_path, capsys):
    code, report = run(tmp_path)
    assert code == 0 and report["accuracy"] == 1.0 and report["nll"] < 0.15 and report["unparsed"] == []
    assert report["count"] == 14 and set(report["by_type"]) == {"1.1", "1.2", "1.3", "2.1", "2.2", "2.3", "2.4"}
    assert {"ece", "ms_per_item", "baselines", "ablations", "items", "reading"} <= set(report)
    for n, item in enumerate(report["items"]):
        assert item["index"] == n and abs(sum(item["p"].values()) - 1) < 1e-5 and max(item["p"].values()) != min(item["p"].values())
    shown = capsys.readouterr().out
    assert "not deep planning" in shown


def test_no_labels_no_change(tmp_path):
    bare = tmp_path / "bare.json"
    bare.write_text(json.dumps([{"question": r["question"]} for r in rows()]))
    _, labelled = run(tmp_path)
    code, report = run(tmp_path, questions=bare)
    assert code == 0 and report["accuracy"] is None and report["nll"] is None and report["by_type"] == {}
    assert [i["p"] for i in report["items"]] == [i["p"] for i in labelled["items"]]


def test_swapped_options_swap_the_answer():
    for r in rows():
        q = r["question"]
        head, _, rest = q.partition("(a) ")
        first, _, second = rest.partition(" (b) ")
        second, _, tail = second.partition(" Please")
        other = item_of(0, {"question": f"{head}(a) {second} (b) {first} Please{tail}"}, "line 1")
        (a, b), (x, y) = (tuple(p.values()) for p in answers([item_of(0, r, "line 1"), other]))
        assert (a, b) == pytest.approx((y, x), abs=1e-9)


@pytest.mark.parametrize("kind", [k for k in Perturbation if k is not Perturbation.TYPOS])
def test_other_words_same_answers(kind):
    items = load(OWN)
    for item, before in zip(items, answers(items)):
        after = solve(read(perturbed(item, kind, seed=1)), CONFIG).p
        assert after == pytest.approx(before, abs=1e-6), (item.index, kind)


def test_the_order_of_the_file_does_not_matter(tmp_path):
    lines = OWN.read_text().splitlines()
    turned = tmp_path / "turned.jsonl"
    turned.write_text("\n".join(reversed(lines)))
    a, b = run(tmp_path)[1], run(tmp_path, questions=turned)[1]
    assert [i["p"] for i in a["items"]] == [i["p"] for i in reversed(b["items"])]


BAD = {
    "no options": (lambda r: {**r, "question": r["question"].split("(a)")[0]}, "option"),
    "a place named nowhere": (lambda r: {**r, "question": r["question"].replace("inside the fridge.", "inside the wardrobe.")}, "wardrobe"),
    "an empty apartment": (lambda r: {**r, "question": "What's inside the apartment: \nActions taken" + r["question"].split("Actions taken")[1]}, "home"),
    "an apartment with nothing in it": (lambda r: {**r, "question": "What's inside the apartment: Nothing much.\nActions taken"
                                                   + r["question"].split("Actions taken")[1]}, "no place"),
    "ten megabytes": (lambda r: {**r, "question": r["question"].replace("The bedroom", "The fridge contains a plate. " * 350_000 + "The bedroom")},
                      "characters"),
    "half a megabyte": (lambda r: {**r, "question": r["question"].replace("The bedroom", "la " * 200_000 + "The bedroom")}, "characters"),
    "no question": (lambda r: {"answer": "a"}, "question"),
    "a number": (lambda r: 7, "int"),
    "a thing I do not know": (lambda r: {**r, "question": r["question"].replace("salmon", "zorp")}, "zorp"),
}


def test_bad_items_are_named_and_the_run_goes_on(tmp_path):
    good = rows()[0]
    file = tmp_path / "bad.jsonl"
    file.write_text("\n".join([json.dumps(good), "{not json", *(json.dumps(change(good)) for change, _ in BAD.values()), json.dumps(good)]))
    code, report = run(tmp_path, questions=file)
    assert code == 1 and report["count"] == len(BAD) + 3
    reasons = {u["index"]: u["reason"] for u in report["unparsed"]}
    assert set(reasons) == set(range(1, len(BAD) + 2)) and "line 2" in reasons[1]
    for n, (name, (_, word)) in enumerate(BAD.items(), start=2):
        assert word in reasons[n], name
    assert report["items"][0]["answer"] == report["items"][-1]["answer"] == good["answer"]
    labelled = 3 + sum(1 for _, r in zip(BAD, [1] * len(BAD))) - 2  # the broken line and the number have no answer
    right = 2 + 0.5 * (labelled - 2)
    assert report["accuracy"] == pytest.approx(right / labelled)


def test_contradictions_are_told_and_answered(tmp_path):
    r = rows()[0]
    r["question"] = r["question"].replace("A salmon and three", "The fridge is empty. A salmon and three")
    file = tmp_path / "q.jsonl"
    file.write_text(json.dumps(r))
    code, report = run(tmp_path, questions=file)
    assert code == 0 and report["accuracy"] == 1.0
    assert any("contents are kept" in p["problem"] for p in report["reading"]["problems"])


@pytest.mark.parametrize("content", ["", "x\ny", "[]", "\x00\xff"])
def test_useless_files_are_bad_usage(tmp_path, content, capsys):
    file = tmp_path / "q.json"
    file.write_bytes(content.encode("latin-1"))
    assert main(["eval", "mmtom", "--questions", str(file)]) == 2
    assert str(file) in capsys.readouterr().err


@pytest.mark.parametrize("extra, word", [(["--condition", "multimodal"], "--closeness"), (["--drop-visits", "2"], "drop-visits"),
                                         (["--condition", "multimodal", "--closeness", str(OWN)], "mmtom_own"), (["--show", "99"], "99")])
def test_bad_usage(extra, word, capsys):
    assert main(["eval", "mmtom", "--questions", str(OWN), *extra]) == 2
    assert word in capsys.readouterr().err


def test_proximity_never_turns_an_answer(tmp_path):
    near = tmp_path / "near.json"
    near.write_text(json.dumps({"1": {"9": ["kitchentable", "fridge"]}, "2": {"9": ["desk"]}}))
    code, report = run(tmp_path, "--condition", "multimodal", "--closeness", str(near))
    assert code == 0 and report["accuracy"] == 1.0
    assert report["without_stream"] == [n for n, r in enumerate(rows()) if r["episode"] == 3]


def test_dropping_visits_keeps_the_last_and_the_walks_between_rooms():
    acts = read(load(OWN)[4]).conduct.actions
    gone = drop_visits(acts, 1.0, random.Random(0))
    assert [str(a) for a in gone] == [str(a) for a in acts if a.target in ("kitchen", "bathroom", "bathroomcabinet_1")]
    assert drop_visits(acts, 0.0, random.Random(0)) == acts
    half = drop_visits(acts, 0.5, random.Random(0))
    assert len(half) < len(acts) and half[-1].target == acts[-1].target


def test_unread_options_are_guessed_evenly():
    item = replace(load(OWN)[0], options={"a": "It rains.", "b": "It snows.", "c": "It is dry."})
    solved = solve(read(item), CONFIG)
    assert solved.p == {"a": pytest.approx(1 / 3), "b": pytest.approx(1 / 3), "c": pytest.approx(1 / 3)} and "option a" in solved.failed


@with_shared
@pytest.mark.parametrize("condition", ["text", "multimodal"])
def test_development_half(condition):
    items = load(SHARED / "questions_dev.json")
    streams = load_closeness(str(SHARED / "closeness_dev.json")) if condition == "multimodal" else {}
    report = evaluate_items(items, streams, CONFIG, extras=False, multimodal=condition == "multimodal")
    assert report["accuracy"] >= 0.99 and report["nll"] <= 0.05 and report["unparsed"] == []
    assert all(row["accuracy"] >= 0.95 for row in report["by_type"].values())
    assert all(abs(i["p"]["a"] - i["p"]["b"]) > 1e-6 for i in report["items"])
    assert report["reading"]["states_complete"] >= 0.99 and report["reading"]["states_told_outright"] >= 0.98
    assert report["reading"]["containers_presumed_empty"] == report["reading"]["containers_the_text_is_silent_about"] <= 6


@with_shared
def test_half_of_the_earlier_visits_forgotten():
    report = evaluate_items(load(SHARED / "questions_dev.json"), {}, CONFIG, drop=0.5, seed=1, extras=False)
    assert report["accuracy"] >= 0.97


@with_shared
def test_paraphrases_of_one_episode_are_read_alike():
    """Every question retells its episode in new words: opened places must agree as far as both tell."""
    by_episode: dict[str, list] = {}
    for item in load(SHARED / "questions_dev.json"):
        found = read(item)
        opened = [a.target for a in found.conduct.actions if a.verb is Verb.OPEN and not a.about_to]
        by_episode.setdefault(item.episode, []).append((item.end_time, opened))
    pairs = [(a, b[:len(a)]) for told in by_episode.values() for (_, a), (_, b) in zip(sorted(told)[:-1], sorted(told)[1:])]
    assert sum(a != b for a, b in pairs) / len(pairs) <= 0.03


@with_shared
def test_misspellings_cost_little():
    items = load(SHARED / "questions_dev.json")[::8]
    solved = [solve(read(perturbed(i, Perturbation.TYPOS, 2)), CONFIG).p for i in items]
    assert sum(max(p, key=p.get) == i.answer for p, i in zip(solved, items)) / len(items) >= 0.95


@pytest.mark.parametrize("change", [
    lambda q: q.replace("Actions taken by Tom:", "Tom's actions:"),
    lambda q: q.replace("What's inside the apartment:", "").replace("Question:", ""),
    lambda q: q.replace("(a)", "\na)").replace("(b)", "\nb)"),
    lambda q: q.replace("(a)", "(A)").replace("(b)", "(B)"),
    lambda q: q.replace("(a)", "a)").replace("(b)", "b)"),
    lambda q: q.replace("\n", "\r\n").replace(" ", "  "),
    lambda q: q.lower().replace("tom", "Tom"),
    lambda q: q.replace("Please respond with either a or b.", "Answer:"),
    lambda q: q.replace("Question: ", "\nQ: ").replace("'", "’"),
    lambda q: q.replace("\n", " "),
])
def test_other_headings(change):
    row = rows()[0]
    (before, after) = answers([item_of(0, row, "line"), item_of(0, {"question": change(row["question"])}, "line")])
    assert after == pytest.approx(before, abs=1e-9)
