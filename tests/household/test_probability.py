import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from household.probability import Categorical, ZeroMassError

weights = st.lists(st.floats(-700, 700), min_size=1, max_size=12)


@given(weights)
def test_sums_to_one_over_its_support(logs):
    c = Categorical(range(len(logs)), logs)
    assert math.isclose(sum(c.as_dict().values()), 1.0, abs_tol=1e-12)


@given(weights, st.data())
def test_bayes_rule_is_order_free(logs, data):
    n = len(logs)
    a = np.array(data.draw(st.lists(st.floats(-20, 0), min_size=n, max_size=n)))
    b = np.array(data.draw(st.lists(st.floats(-20, 0), min_size=n, max_size=n)))
    prior = Categorical(range(n), logs)
    one = prior.reweighted(a, reason="a").reweighted(b, reason="b")
    two = prior.reweighted(b, reason="b").reweighted(a, reason="a")
    assert np.allclose(np.exp(one.logp), np.exp(two.logp), atol=1e-12)


def test_impossible_evidence_is_an_error_with_its_reason():
    with pytest.raises(ZeroMassError, match="the fridge was empty"):
        Categorical.uniform(["fridge"]).reweighted([-math.inf], reason="the fridge was empty")


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="twice"):
        Categorical(["a", "a"], [0, 0])
    with pytest.raises(ValueError, match="shape"):
        Categorical(["a", "b"], [0.0])
    with pytest.raises(ValueError, match="finite"):
        Categorical(["a"], [float("nan")])
    with pytest.raises(ValueError, match="negative"):
        Categorical.from_probabilities({"a": -1.0})
    with pytest.raises(ZeroMassError):
        Categorical.uniform([])


def test_outside_the_support_is_zero_and_the_array_cannot_be_changed():
    c = Categorical.from_probabilities({"fridge": 3, "table": 1})
    assert c.p("table") == pytest.approx(0.25) and c.p("sofa") == 0.0 and c.log_p("sofa") == -math.inf
    assert c.most_likely() == "fridge"
    with pytest.raises(ValueError):
        c.logp[0] = 0.0
