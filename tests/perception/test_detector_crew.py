"""Several processes that train one network together: who takes which samples, and what they agree on."""

import pytest


def test_the_crew_shares_samples_and_averages_gradients(monkeypatch):
    import torch
    from perception.training.crew import Crew, distributed

    parts = [list(Crew(rank, 3).share(range(10))) for rank in range(3)]
    assert sorted(sum(parts, [])) == list(range(10)) and parts[1] == [1, 4, 7]
    net = torch.nn.Linear(2, 1)
    net(torch.tensor([[1.0, 2.0]])).sum().backward()
    before = [p.grad.clone() for p in net.parameters()]
    monkeypatch.setattr(distributed, "all_reduce", lambda flat: flat.mul_(6))  # the two others found five times as much together
    Crew(0, 3).average(net)
    for p, g in zip(net.parameters(), before):
        torch.testing.assert_close(p.grad, 2 * g)


@pytest.mark.parametrize("yes", [True, False])
def test_alone_nothing_changes(monkeypatch, yes):
    from perception.training.crew import Crew

    monkeypatch.delenv("WORLD_SIZE", raising=False)
    alone, samples = Crew.here(), range(4)
    assert alone == Crew(0, 1) and alone.share(samples) is samples and alone.agreed(yes) is yes
