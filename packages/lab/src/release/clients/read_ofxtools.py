"""Reads the statement's OFX with ofxtools, which checks it against the specification."""

import os

from ofxtools.Parser import OFXTree

tree = OFXTree()
tree.parse(os.environ["OFX"])
(statement,) = tree.convert().statements
rows = statement.transactions
assert rows and all(row.fitid and row.dtposted for row in rows)
assert statement.transactions.dtend <= tree.convert().sonrs.dtserver
assert statement.ledgerbal.dtasof <= tree.convert().sonrs.dtserver
assert statement.availbal.balamt <= statement.ledgerbal.balamt
print(f"{len(rows)} transactions, balance {statement.ledgerbal.balamt}")
