"""A real worker is killed while it asks a judge again: each call that was made is counted."""

import subprocess
import sys
import time

JUDGE = """
import time

def judge(text):
    again = "Your last reply to this was not valid" in text
    with open("asked.log", "a") as log:
        log.write("again\\n" if again else "first\\n")
    if again:
        time.sleep(60)
    return "NOT JSON"
"""

CONFIG = """
[judge]
model = "useless.py:judge"

[store]
url = "online.db"

[online]
sample = 1.0
metrics = ["answer_relevance"]
concurrency = 3
calls_per_day = 1000
"""


def test_calls_that_were_in_flight_stay_counted_also_those_for_a_reply_asked_again(
    tmp_path, rooms, send
):
    (tmp_path / "useless.py").write_text(JUDGE)
    (tmp_path / "acidtest.toml").write_text(CONFIG)
    for n in range(3):
        send(f"t{n}", answer=f"It lasts {n} years.")
    log = tmp_path / "asked.log"
    worker = subprocess.Popen(
        [sys.executable, "-m", "acidtest", "watch"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    until = time.monotonic() + 60
    try:
        while not log.exists() or log.read_text().count("again") < 3:
            assert worker.poll() is None, worker.stdout.read()
            assert time.monotonic() < until, log.read_text() if log.exists() else "nothing asked"
            time.sleep(0.05)
    finally:
        worker.kill()
        worker.communicate()
    (day,) = rooms.spending.days()
    # Three were answered with nothing of use, and three were in flight.
    assert (day.calls, day.tokens, day.traces) == (6, 0, 3)
    assert log.read_text().split().count("first") == 3
