import { type ErrorCode, errorCatalogue } from '@plataforma/contracts';
import {
  answersToAnyRequest,
  chargeStates,
  disputeStates,
  emptyTexts,
  failures,
  withdrawalStates,
} from './guide-tables.ts';
import { keyScopes, rows } from './key-scopes.ts';
import { testCards, testKeys, testRefunds } from './magic-values.ts';

/** The section of the guide about fields that users type or paste. */
const writtenFields = `## Documents and other numbers

A CPF or CNPJ may have punctuation. Responses contain it without punctuation. Every document field accepts an
alphanumeric CNPJ, including the registration. Its letters are returned in upper case.

Documents, phones, Pix keys, e-mail addresses and account numbers may be copied from a message or a page.
Invisible characters are removed, and every dash is read as a hyphen.

Names, descriptions, labels and reasons are shown to people. Invisible and enclosing characters are removed,
as are characters that change the direction of a text. Line breaks become a space, emoji stay, and the text is
composed (NFC).

Programs compare \`externalId\`, tokens, secrets, URLs and the texts of \`metadata\`. They are stored as sent,
without surrounding blanks.`;

/**
 * An SQL statement for the guide: a receiver stores the newest state of each object, even if events arrive in
 * another order. A test runs it.
 */
const orderSample = `INSERT INTO objects (id, sequence, status) VALUES ($1, $2, $3)
ON CONFLICT (id) DO UPDATE SET sequence = excluded.sequence, status = excluded.status
WHERE objects.sequence < excluded.sequence
RETURNING id`;

const rowOf = (code: ErrorCode) =>
  `| ${code} | ${errorCatalogue[code].status} | ${errorCatalogue[code].when} |`;

/** The introduction of the document, in Markdown. */
export const guide = `Plataforma provides Pix and card charges, payouts, a wallet and signed webhooks. This
document is at \`/openapi.json\`, and its pages are at \`/docs\`. A collection of requests in Postman's format
(v2.1) is at \`/collection.json\`; its requests run without changes.

## Conventions

Amounts are integer cents. Times are ISO 8601 in UTC. A success is \`{"success": true, "data": …}\`; a page of
a list also has \`meta\`. A failure is \`{"success": false, "error": {"code", "message"}}\`, and its message
names the field. Unknown fields of a body are ignored. Every endpoint refuses an unknown query parameter.
Quote the \`X-Request-Id\` of a response in support requests. A 503 response states in \`Retry-After\` when to
retry the same request. No data is lost meanwhile, and a request with an \`externalId\` or \`Idempotency-Key\`
takes effect only once. A request with neither may have taken effect even if no response arrived. Check the
list before you send it again.

In a body \`null\` is equivalent to an omitted field, unless the field defines a meaning for it. Only
operators’ bodies refuse it. Surrounding blanks of a text are removed. A text of blanks only is equivalent to
an empty text, \`""\`:

| \`""\` as | |
| --- | --- |
${rows(emptyTexts)}

Lists have pages, newest first. Use \`page\` and \`limit\` (20, at most 100); \`meta\` has \`total\` and
\`pages\`. New rows move older rows to later pages. To read each row exactly once, send \`meta.next\` as
\`after\` until a response has no \`meta.next\`. Such a page takes the same time at any depth of the list. The
cursor works with the list and the filters of its response, without expiry, and with any \`limit\`.

Responses are \`application/json\`. Lists of money are also available as \`text/csv\` if \`Accept\` prefers
it, with \`locale\` and \`timeZone\`. \`*/*\` and no \`Accept\` mean JSON. If a path does not offer the
requested type, the response is 406 \`NOT_ACCEPTABLE\`.

Every POST that creates an object accepts an \`Idempotency-Key\` of 1 to 255 printable characters of your
choice. Only the registration accepts none, because no account exists yet to which a key could belong. A
repeated registration returns \`ACCOUNT_EXISTS\`, and you log in. For 24 hours the same request with the same
key has no second effect. It receives the first response again, with the header \`Idempotency-Replayed:
true\`. A key identifies one request: its endpoint, path and body. Use a new key for each request, or the
response may be \`IDEMPOTENCY_CONFLICT\`. While the first request is in progress the response is
\`REQUEST_IN_PROGRESS\`, or 202 for a refund. A 202 is not stored: the same request returns the current state
of the refund. A declined card counts as a response, as does a refund or withdrawal that the balance did not
cover. Use a new key for another attempt. A 503 does not count: the same request resumes the work already
begun.

Every endpoint may return these errors. Each endpoint lists all errors that it can return.

| Code | Status | |
| --- | --- | --- |
${answersToAnyRequest.map(rowOf).join('\n')}

The headers \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` report how many more requests
are allowed. They count the requests of the key or session, or of your whole account if its limit has fewer
remaining. Without credentials they count the requests of your address. In the limit of an address, a read of
a buyer’s page counts as three requests. A request counts once more for each 8 KiB of its body, at most twelve
times, and three times more if it has no \`Content-Length\`.

\`POST /v1/quotes\` returns the cost of a withdrawal, a refund or a charge before you order it. The quote also
returns the remaining balance and every reason for a refusal. A quote stores nothing and moves no money. The
order itself is checked again.

## Versions

Within \`/v1\` responses and events may gain fields. Lists of values (statuses, types, reasons, events, error
codes) may gain values. Requests may gain optional fields and parameters. A client must ignore unknown fields
and handle unknown values. A breaking change gets a new path. Such a change removes or renames a field, value,
endpoint or parameter, or changes a type or a meaning. To refuse a value that was accepted before is also a
breaking change.

A deprecated name is marked \`deprecated\` in the document and works for a year beside its replacement. A
response to a request that uses one (a parameter or a field of the body) has two headers. \`Deprecation\` (RFC
9745) states since when the name is deprecated. \`Sunset\` (RFC 8594) states when it is removed.

## Environments

A key \`sk_sandbox_…\` uses the sandbox, where no money moves. A key \`sk_live_…\` uses production, which
opens when the account is approved. For a bearer token the header \`X-Environment\` selects the environment;
the default is the sandbox. A key does not need that header. An environment that differs from the key’s is a
400 \`ENVIRONMENT_MISMATCH\`. Any value except \`sandbox\` and \`production\`, including an empty text, is a
400 at every endpoint.

The sandbox accepts some values that production refuses, such as a CPF, a CNPJ or a Pix key with wrong check
digits. The response then has the header \`X-Sandbox-Warning\`, which describes the value.

${keyScopes}

${writtenFields}

## Charges

| Status | Meaning |
| --- | --- |
${rows(Object.entries(chargeStates))}

An \`externalId\` identifies one order. Retry the request in any doubt; it returns the same charge (200). The
same order has the same \`amount\`, \`paymentMethod\`, \`payerName\`, \`payerDocument\` and \`installments\`.
If one of these differs, the response is a 409 \`EXTERNAL_ID_CONFLICT\` that names the fields. No other field
is compared. Once its charge is EXPIRED or CANCELLED, an \`externalId\` is free. The request then creates a
new charge (201), and \`GET /v1/charges\` with \`externalId\` lists both. A \`charge.paid\` event reports the
payment. If no event arrives, use \`GET /v1/charges/{id}\` to confirm it. Money that arrives late, twice or in
another amount does not pay the charge and is returned to its payer automatically. \`GET
/v1/unexpected-payments\` lists this money. The event \`payment.unexpected\` reports its arrival and its
return to the webhooks that name this event.

## Cards

Read \`GET /v1/charges/card-config\`. In the buyer’s browser, send the card to its \`tokenizeUrl\`, as \`POST
{tokenizeUrl}?appId={publicKey}\` with \`{"type": "card", "card": {"number", "holder_name", "exp_month",
"exp_year", "cvv"}}\`. The \`id\` of the response is the \`cardToken\` of \`POST /v1/charges\`. A card number
never reaches this API: a text, \`externalId\` or \`Idempotency-Key\` that contains one is refused. A card
number has 14 digits (Diners), 15 (American Express), 16 or 19 (all others), begins with a prefix of its brand
and passes the check sum. A run of 14 digits with the check digits of a CNPJ is a CNPJ. Other ids, documents,
phones and Pix keys may be any number. The response for a declined card is 402 \`CARD_DECLINED\`. Its
\`error.reason\` gives the reason (\`insufficient_funds\`, \`expired_card\`, \`suspected_fraud\`,
\`invalid_cvv\`, \`do_not_honor\`, …), as does the end of the message. The \`externalId\` is then free for
another card. Card money becomes available when the account’s settlement day begins in São Paulo
(\`settlesAt\`; \`GET /v1/receivables\` lists the money of each day). Until then it is part of
\`pendingBalance\`.

Test cards of the sandbox, with any future expiry and any cvv:

| Number | The charge |
| --- | --- |
${rows(testCards)}

## Refunds

A PAID charge can be refunded once, in whole or in part. The default amount is the net amount. Send the full
amount to return the fee from your balance as well. If the balance does not cover the refund, the response is
422 \`INSUFFICIENT_BALANCE\`.

The response is 200, with the charge REFUNDED, once the provider has returned the money. Most refunds need a
few seconds. A slower refund is a 202: the charge is PAID, the amount has left your balance, and the refund is
\`PROCESSING\` in the charge’s \`refunds\`. The event \`charge.refunded\` reports its success. The event
\`charge.refund_failed\` reports its failure; the amount is then in your balance again, and you may request
another refund. REFUNDED is final. Send an \`Idempotency-Key\`: if a response was lost, the same request with
that key returns the refund. The same request without a key is a second refund and is refused with 409
\`CHARGE_NOT_REFUNDABLE\`.

In the sandbox, the amount of a Pix refund selects how the payer’s bank ends it. The same amounts apply to the
return of an unexpected payment, which is then RETURN_REFUSED, or RETURNING for the same time.

| \`amount\` | The refund |
| --- | --- |
${rows(testRefunds)}

## Disputes

| Status | Meaning |
| --- | --- |
${rows(Object.entries(disputeStates))}

The event \`dispute.opened\` reports a new dispute, and \`dispute.resolved\` reports each of the three
outcomes.

## Withdrawals

| Status | Meaning |
| --- | --- |
${rows(Object.entries(withdrawalStates))}

Send an \`Idempotency-Key\` or an \`externalId\` with every withdrawal. After a 503, a closed connection or
any other uncertainty, the same request then returns the same withdrawal. With a key even a refusal for an
insufficient balance is stored for 24 hours. Add money to the balance and use a new key. The account’s
settings decide whether the fee is part of the amount or added to it. \`POST /v1/withdrawals/decode-qr\` reads
a code that a payee shows. Show the decoded values before you pay the key of the code. Such a payment has no
txid, so the payee’s own charge may stay open.

| \`failureReason\` | Meaning |
| --- | --- |
${rows(Object.entries(failures).map(([reason, meaning]) => [`\`${reason}\``, meaning] as const))}

Test Pix keys of the sandbox:

| Key | |
| --- | --- |
${rows(testKeys)}

## The clock of your sandbox

\`POST /v1/sandbox/clock\` moves the time of your sandbox forward, with \`{"advance": "P3D"}\` or with an
instant as \`at\`. You can then test today the events of the next month. Charges and API keys expire, card
money settles, a cool-down ends, and a dispute’s deadline passes (which decides nothing). Later events have
the new time. Rate limits, sessions, Idempotency-Keys, the retries of webhooks and the log of requests use the
real time, as do the headers of a delivery. The clock never moves backward.

## Webhooks

Each event is posted to every configured URL that subscribes to it. \`X-Webhook-Signature\` is \`sha256=\` and
the HMAC-SHA256, in hex, of the raw body under the configuration’s secret. Compare it in constant time before
you read the body. Respond with 2xx within 10 seconds. Without a 2xx the delivery is retried after 2, 4, 8, 16
and 32 seconds, with the same \`X-Webhook-Id\`. Later retries happen only if the webhook’s \`retrySchedule\`
is \`extended\`. Bodies may gain fields, such as a charge’s \`metadata\`; ignore unknown fields. The same
event may arrive more than once, with the same \`X-Webhook-Event-Id\`. Events of one object may arrive out of
order; use the highest \`X-Webhook-Sequence\`. A webhook with the \`signatureVersion\` \`standard\` also
receives the headers of Standard Webhooks. A secret rotated with a \`gracePeriodSeconds\` continues to sign
beside the new secret for that time. \`POST /v1/webhook-config/{id}/test\` sends a \`webhook.test\` to one
URL. It can also send any event with a body made from one of your objects, marked by \`X-Webhook-Test\` and
\`isTest: true\` in \`data\`. In the sandbox \`POST /v1/sandbox/webhook-faults\` makes events arrive twice,
late, out of order, forged, or not at the first attempt.

An event may overtake another event of its object, arrive twice, or arrive twice at the same time. One
statement handles all three cases: store one row for each object, and update it only with a higher number. If
the statement returns a row, the event is new. If it returns none, the event is late or a duplicate; respond
with 2xx as well.

\`\`\`sql
${orderSample}
\`\`\`

\`$1\` is \`data.id\`, \`$2\` is \`sequence\` and \`$3\` is \`data.status\`. A later event includes the
content of earlier events, so a skipped event loses nothing. Numbers have gaps, so do not wait for a missing
number. \`charge.created\`, \`charge.cancelled\`, \`withdrawal.created\` and \`withdrawal.approved\` are live
updates and may never arrive. Use them for display, and base no decision on them.`;
