"""Creates, pays and refunds a charge, and reads its statement.

The models of datamodel-code-generator check each body.
"""

import os

import httpx
import models
from eventually import eventually

api = httpx.Client(base_url=os.environ["BASE_URL"], headers={"X-API-Key": os.environ["API_KEY"]})
order = models.NewPixCharge(
    amount=2500, externalId=os.environ["ORDER"], payerName="Maria da Silva", payerDocument="12345678909"
)
created = api.post("/v1/charges", json=order.model_dump(exclude_none=True))
assert created.status_code == 201, created.text
charge = models.Charge.model_validate(created.json()["data"])

missing = api.get("/v1/charges/01939f2e-7d3b-7c51-9a54-0d2f6d0c4a11")
assert models.Error.model_validate(missing.json()).error.code == "NOT_FOUND"

paid = api.post(f"/v1/charges/{charge.id}/simulate-payment")
assert paid.status_code == 200, paid.text


def refund():
    answer = api.post(f"/v1/charges/{charge.id}/refund", json={"amount": 1000})
    return answer.status_code in (200, 202)


def rows():
    statement = api.get("/v1/statement").json()["data"]
    found = [row for row in map(models.WalletTransaction.model_validate, statement) if row.chargeId == charge.id]
    return found if len(found) >= 2 else None


eventually(refund, lambda: "the refund was refused")
print(f"the statement has {len(eventually(rows, lambda: 'the statement lacks the rows'))} rows of the charge")
