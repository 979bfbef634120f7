"""Reads the statement's OFX with ofxparse."""

import os

from ofxparse import OfxParser

with open(os.environ["OFX"], "rb") as file:
    account = OfxParser.parse(file).account
rows = account.statement.transactions
assert rows and all(row.id and row.date and row.amount for row in rows), rows
assert len({row.id for row in rows}) == len(rows)
print(f"{len(rows)} transactions, balance {account.statement.balance}")
