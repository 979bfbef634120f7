"""Retries, because the credit of a payment reaches the ledger a moment after the payment."""

import time


def eventually(attempt, problem):
    for _ in range(60):
        result = attempt()
        if result:
            return result
        time.sleep(0.5)
    raise SystemExit(problem())
