"""Creates, pays and refunds a charge, and reads its statement, with openapi-generator's Python client."""

import os

import openapi_client
from openapi_client import ApiException, NewCharge, NewPixCharge, RefundChargeRequest
from eventually import eventually

configuration = openapi_client.Configuration(host=os.environ["BASE_URL"], api_key={"apiKey": os.environ["API_KEY"]})
client = openapi_client.ApiClient(configuration)
charges, wallet = openapi_client.ChargesApi(client), openapi_client.WalletApi(client)

order = NewPixCharge(
    amount=2500, externalId=os.environ["ORDER"], payerName="Maria da Silva", payerDocument="12345678909"
)
charge = charges.create_charge(new_charge=NewCharge(order)).data

try:
    charges.get_charge("01939f2e-7d3b-7c51-9a54-0d2f6d0c4a11")
    raise SystemExit("a charge that does not exist was found")
except ApiException as error:
    assert error.data.error.code == "NOT_FOUND", error

charges.simulate_payment(charge.id)


def refund():
    try:
        return charges.refund_charge(charge.id, refund_charge_request=RefundChargeRequest(amount=1000))
    except ApiException:
        return None


def rows():
    found = [row for row in wallet.get_statement().data if row.charge_id == charge.id]
    return found if len(found) >= 2 else None


eventually(refund, lambda: "the refund was refused")
print(f"the statement has {len(eventually(rows, lambda: 'the statement lacks the rows'))} rows of the charge")
