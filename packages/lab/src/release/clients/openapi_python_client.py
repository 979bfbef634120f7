"""Creates, pays and refunds a charge, and reads its statement, with the client of openapi-python-client."""

import os
import uuid

from eventually import eventually
from plataforma_client import AuthenticatedClient
from plataforma_client.api.charges import create_charge, get_charge, refund_charge, simulate_payment
from plataforma_client.api.wallet import get_statement
from plataforma_client.models import Error, NewPixCharge, RefundChargeBody

client = AuthenticatedClient(
    base_url=os.environ["BASE_URL"], token=os.environ["API_KEY"], prefix="", auth_header_name="X-API-Key"
)
order = NewPixCharge(
    amount=2500, external_id=os.environ["ORDER"], payer_name="Maria da Silva", payer_document="12345678909"
)
created = create_charge.sync_detailed(client=client, body=order)
assert created.status_code == 201, created
charge = created.parsed.data

missing = get_charge.sync(uuid.uuid4(), client=client)
assert isinstance(missing, Error) and missing.error.code == "NOT_FOUND", missing

paid = simulate_payment.sync_detailed(charge.id, client=client)
assert paid.status_code == 200, paid


def refund():
    answer = refund_charge.sync_detailed(charge.id, client=client, body=RefundChargeBody(amount=1000))
    return answer.parsed if answer.status_code in (200, 202) else None


def rows():
    statement = get_statement.sync(client=client)
    found = [row for row in statement.data if row.charge_id == charge.id]
    return found if len(found) >= 2 else None


eventually(refund, lambda: "the refund was refused")
print(f"the statement has {len(eventually(rows, lambda: 'the statement lacks the rows'))} rows of the charge")
