"""Answers lost on the way back, told from those that the capture lost."""

from badhop.analyses.missing_answers import missing_answers
from literal import health, qp, rows


def test_answers_that_never_came_by_are_told_by_their_sender() -> None:
    qps = rows("roce_qps", qp(acks=60, answers_missing=20), qp(qp=1, acks=40, answers_missing=0))
    got = missing_answers(qps, rows("capture_health", health(unseen_share=0.0))).collect().row(0, named=True)
    assert (got["hop"], got["mode"], got["answers_missing"], got["queue_pairs"]) == (
        "side:source@tor.pcap",
        "graydrop",
        20,
        1,
    )
    assert got["strength"] == 20.0
    assert got["says"].startswith("20 acknowledgements (16.67 %) that ")


def test_a_capture_that_drops_as_much_itself_explains_them() -> None:
    qps = rows("roce_qps", qp(acks=90, answers_missing=10))
    assert missing_answers(qps, rows("capture_health", health(unseen_share=0.05))).collect().height == 0


def test_no_missing_answer_gives_no_row() -> None:
    qps = rows("roce_qps", qp(acks=90, answers_missing=0))
    assert missing_answers(qps, rows("capture_health", health())).collect().height == 0
