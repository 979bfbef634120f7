import type {
  chargeStatuses,
  disputeStatuses,
  failureReasons,
  withdrawalStatuses,
} from '@plataforma/contracts';
import { type ErrorCode, errorCatalogue } from '@plataforma/contracts';
import { keyScopes, rows } from './key-scopes.ts';
import { testCards, testKeys, testRefunds } from './magic-values.ts';

/** Section of the guide: fields that people type or copy. */
const writtenFields = `## Documents and other numbers

A CPF or CNPJ may have punctuation, and is answered without it. An alphanumeric CNPJ is taken wherever a
document is, at the registration too; its letters are answered in upper case.

Documents, phones, Pix keys, e-mail addresses and account numbers may be copied from a message or a page:
invisible characters are removed, and every dash counts as a hyphen.

Names, descriptions, labels and reasons are shown to people. Invisible and enclosing characters, and those that change
the direction of a text, are removed; line breaks become a space, emoji stay, and the text is composed (NFC).

Programs compare \`externalId\`, tokens, secrets, URLs and the texts of \`metadata\`. They stay as sent,
but for blanks around them.`;

/** How a receiver keeps the newest of each object, whatever order events come in; the guide shows it, a test runs it. */
const orderSample = `INSERT INTO objects (id, sequence, status) VALUES ($1, $2, $3)
ON CONFLICT (id) DO UPDATE SET sequence = excluded.sequence, status = excluded.status
WHERE objects.sequence < excluded.sequence
RETURNING id`;

const chargeStates: Record<(typeof chargeStatuses)[number], string> = {
  PENDING: 'Waits for its Pix. Ends PAID, EXPIRED or CANCELLED.',
  PAID: 'The money came, and its net amount is in the balance. A card charge begins here.',
  EXPIRED: 'Its time passed without a payment. Final.',
  CANCELLED: 'You cancelled it before it was paid. Final.',
  REFUNDED:
    'All or part went back, by your refund or by a dispute you lost (`refundReason` is `dispute` where you refunded nothing). Final.',
  DISPUTED: 'The payer disputes it: the amount is held aside, and it can’t be refunded until that ends.',
};

const disputeStates: Record<(typeof disputeStatuses)[number], string> = {
  OPEN: 'Waits for your evidence until its `deadline`.',
  UNDER_REVIEW: 'Your evidence was sent; you send it once.',
  RESOLVED_MERCHANT: 'You won: the charge is PAID again and the amount yours again. Final.',
  RESOLVED_CUSTOMER:
    'You lost: the charge is REFUNDED. What the balance lacks stays as `disputeDebt`. Final.',
  CANCELLED: 'The payer took it back, which counts as won. Final.',
};

const withdrawalStates: Record<(typeof withdrawalStatuses)[number], string> = {
  PENDING: 'The money has left the balance; it waits for its approval, by itself or by an operator.',
  APPROVED:
    'It will be sent, at once or when its destination is no longer new; `waitingFor` says what holds it up longer.',
  PROCESSING: 'The provider has the order to pay. It stays so until the provider knows for sure.',
  COMPLETED: 'The payee has it. Final.',
  FAILED: 'It was not paid, and amount and fee are in the balance again; see `failureReason`. Final.',
  REJECTED: 'An operator rejected it, and amount and fee are in the balance again. Final.',
};

const failures: Record<(typeof failureReasons)[number], string> = {
  invalid_key: 'There is no such key, or it does not belong to the payee.',
  account_not_found: 'The payee’s account does not exist.',
  account_closed: 'The payee’s account was closed.',
  account_blocked: 'The payee’s account can’t receive.',
  limit_exceeded: 'Above a limit of the provider or of the payee’s bank.',
  suspected_fraud: 'A bank took it for fraud.',
  refused_by_bank: 'A bank refused it.',
  timed_out: 'A bank did not answer the provider in time.',
  other: 'Anything else.',
};

/** Errors that any request can get. */
const answersToAnyRequest: readonly ErrorCode[] = [
  'VALIDATION_ERROR',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'NOT_ACCEPTABLE',
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'URI_TOO_LONG',
  'UNSUPPORTED_MEDIA_TYPE',
  'RATE_LIMITED',
  'HEADERS_TOO_LARGE',
  'INTERNAL_ERROR',
  'NOT_IMPLEMENTED',
  'SERVICE_UNAVAILABLE',
];

/** `test/empty-texts.test.ts` holds every field to it. */
const emptyTexts = [
  [
    'an optional text, name, e-mail, phone, document, colour or `returnUrl` of something new',
    'is as if the field was left out',
  ],
  ['a required text, name, address, number or key', 'is refused as missing'],
  [
    'an `externalId`, `externalIdPrefix`, `pixKey`, token or secret',
    'is refused, in optional fields, too: nothing is made without the identifier that you meant to send',
  ],
  ['a text of a change (`PATCH`)', 'is refused: `null` clears a field that can be empty'],
  ['one of several values, an id, a day, an instant', 'is refused: it is none'],
  ['an amount, a number, true or false, a list, an object', 'is refused: it is of another type'],
  ['a parameter of a query', 'is refused: leave the parameter out'],
  ['a text of `metadata`', 'is kept; `null` is none, and refused'],
] as const;

/** The introduction of the document, in Markdown. */
export const guide = `Pix and card charges, payouts, wallet and signed webhooks. The document is at \`/openapi.json\`, pages of it at \`/docs\`,
and at \`/collection.json\` a collection of requests in Postman's format (v2.1), that run as they are.

## Conventions

Amounts are integer cents. Times are ISO 8601 in UTC. A success is \`{"success": true, "data": …}\`, a page of a list
with \`meta\` besides; a failure is \`{"success": false, "error": {"code", "message"}}\`, and its message names the field.
Fields of a body that are not known are ignored; an unknown query parameter is refused at every endpoint.
Quote the \`X-Request-Id\` of an answer when you ask us about it. An answer 503 says in \`Retry-After\` when to send the
same request again: nothing is lost meanwhile, and what has an \`externalId\` or \`Idempotency-Key\` is not done twice.
What has neither may have been done although you heard nothing of it: look at the list before you send it again.

In a body \`null\` is as if the field was left out, unless the field says what it means; only operators’ bodies refuse it. Blanks around a text are
taken off, and a text with nothing left is as an empty one, \`""\`:

| \`""\` as | |
| --- | --- |
${rows(emptyTexts)}

A list has pages, newest first: \`page\` and \`limit\` (20, at most 100), with \`total\` and \`pages\` in \`meta\`. What is
new moves the rest to later pages. To see each row once, whatever is added, send \`meta.next\` as \`after\` until an answer
has none: such a page takes the same time wherever it is. It is good for the list and the filters that it came with, for
good, and with any \`limit\`.

Answers are \`application/json\`. Lists of money are also \`text/csv\` for an \`Accept\` that prefers it, with
\`locale\` and \`timeZone\`. \`*/*\` and no \`Accept\` mean JSON; a type that a path does not have is 406 \`NOT_ACCEPTABLE\`.

Every POST that creates something takes an \`Idempotency-Key\`, 1 to 255 printable characters of your choice. Only a
registration takes none, as there is no account yet that a key could belong to: sent again it is \`ACCOUNT_EXISTS\`, and
you log in. For 24 hours the same request with the same key has no second effect and gets the first answer again, with
the header \`Idempotency-Replayed: true\`. A key names one request, its endpoint, path and body: use a new one for each,
or the answer may be \`IDEMPOTENCY_CONFLICT\`. While the first request is under way it is \`REQUEST_IN_PROGRESS\`, or 202 for
a refund. A 202 is not kept: the same request hears how far the refund is by then. That a card was declined, or that a refund or withdrawal was not covered by the balance, is
an answer, too: for another try use a new key. A 503 is none: the same request goes on with what was begun.

Any request may be answered with one of these; each endpoint lists all it can answer.

| Code | Status | |
| --- | --- | --- |
${answersToAnyRequest.map((code) => `| ${code} | ${errorCatalogue[code].status} | ${errorCatalogue[code].when} |`).join('\n')}

The headers \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` say how many requests more are let through,
of the key or session that was sent, or of all that are yours where these have less left, or else of your address. In the limit of an address, a read of what
a buyer's page shows counts for three requests.

\`POST /v1/quotes\` says beforehand what a withdrawal, a refund or a charge would cost, what would be left, and all that
would have it refused. Nothing is kept by it, nothing is taken, and the order itself is looked at anew.

## Versions

Within \`/v1\` answers and events may gain fields, lists of values (statuses, types, reasons, events, error codes) may gain values, and requests may gain optional
fields and parameters. A client ignores a field it does not know, and handles a value it does not know. A breaking change
takes away or renames a field, value, endpoint or parameter, changes a type or a meaning, or refuses what was taken: it gets a new path.

A deprecated name is marked \`deprecated\` in the document, and works for a year beside the one that replaces it. An answer to a request
that uses one (a parameter or a field of the body) has the headers \`Deprecation\` (RFC 9745: since when) and \`Sunset\` (RFC 8594: when it leaves).

## Environments

A key \`sk_sandbox_…\` sees the sandbox, where no money moves, a key \`sk_live_…\` production, which opens when the
account is approved. With a bearer token the header \`X-Environment\` says which; the sandbox when left out. With a key
that header is not needed: another environment than the key’s is a 400 \`ENVIRONMENT_MISMATCH\`, and anything but
\`sandbox\` and \`production\`, an empty text included, is a 400 at every endpoint.

What the sandbox takes and production refuses, as a CPF, a CNPJ or a Pix key whose check digits are wrong, is answered with
the header \`X-Sandbox-Warning\`, which says so.

${keyScopes}

${writtenFields}

## Charges

| Status | Meaning |
| --- | --- |
${rows(Object.entries(chargeStates))}

An \`externalId\` is one order: send the request again whenever you are not sure, and the same charge comes back (200).
The same order has the same \`amount\`, \`paymentMethod\`, \`payerName\`, \`payerDocument\` and \`installments\`; another of
these is a 409 \`EXTERNAL_ID_CONFLICT\` that names them, and no other field is compared. Once its charge is EXPIRED or
CANCELLED an \`externalId\` is free: the request makes a new charge (201), and \`GET /v1/charges\` with \`externalId\` lists both. A
\`charge.paid\` tells you of the payment; \`GET /v1/charges/{id}\` is the way to be sure when none came. Money that comes
late, twice or in another amount pays nothing, and goes back to its payer by itself; \`GET /v1/unexpected-payments\`
shows it, and \`payment.unexpected\` tells those webhooks of it that name this event: when it came, and when it is back.

## Cards

Read \`GET /v1/charges/card-config\`. In the buyer’s browser, send the card to its \`tokenizeUrl\`, as
\`POST {tokenizeUrl}?appId={publicKey}\` with \`{"type": "card", "card": {"number", "holder_name", "exp_month", "exp_year",
"cvv"}}\`; the \`id\` of the answer is the \`cardToken\` of \`POST /v1/charges\`. A card’s number never comes to this API: a
text, \`externalId\` or \`Idempotency-Key\` that holds one is refused. That is a number of 14 digits (Diners), 15 (American Express), 16 or 19 (all others) that
begins as its brand’s do and passes the check sum; 14 digits in one piece with the check digits of a CNPJ are a CNPJ. Other ids, documents, phones and Pix keys may be any number. A declined card is answered 402 \`CARD_DECLINED\`, and
\`error.reason\` says why (\`insufficient_funds\`, \`expired_card\`, \`suspected_fraud\`, \`invalid_cvv\`, \`do_not_honor\`, …), as the end of the message does; its
\`externalId\` is free for another card. Card money becomes available as the account’s settlement day begins in São Paulo (\`settlesAt\`; \`GET /v1/receivables\` says what comes on which day); until then it is \`pendingBalance\`.

In the sandbox, with any future expiry and any cvv:

| Number | The charge |
| --- | --- |
${rows(testCards)}

## Refunds

A PAID charge is refunded once, in whole or in part. Without an amount it is the net amount: say the full amount to
return the fee’s part from your balance, too. The balance must cover it, or it is 422 \`INSUFFICIENT_BALANCE\`.

The answer is 200 and the charge REFUNDED when its provider has returned the money. Most do within seconds; one that needs
longer is a 202: the charge is PAID, the amount out of your balance, and the refund \`PROCESSING\` in the charge’s
\`refunds\`. Its end comes as \`charge.refunded\`, or as \`charge.refund_failed\` with the amount in your balance again; then
another refund may be asked for. REFUNDED is final. Send an \`Idempotency-Key\`: when an answer was lost, the same request with that key is
answered with the refund. The same request without a key is a second refund, which is refused with 409 \`CHARGE_NOT_REFUNDABLE\`.

In the sandbox a refund of a Pix in one of these amounts ends as payers’ banks end some; so does the return of an
unexpected payment of such an amount, which is then RETURN_REFUSED, or RETURNING for so long.

| \`amount\` | The refund |
| --- | --- |
${rows(testRefunds)}

## Disputes

| Status | Meaning |
| --- | --- |
${rows(Object.entries(disputeStates))}

\`dispute.opened\` tells you of it, \`dispute.resolved\` of each of the three ends.

## Withdrawals

| Status | Meaning |
| --- | --- |
${rows(Object.entries(withdrawalStates))}

Send an \`Idempotency-Key\` or an \`externalId\` with every withdrawal: after a 503, a cut connection or anything else you
are not sure of, the same request is the same withdrawal. With a key even a refusal for want of balance is kept for 24
hours: top up, and use a new key. The fee is a part of the amount, or comes on top of it, as the account is set. A code
that a payee shows is read by \`POST /v1/withdrawals/decode-qr\`; show what it says before you pay the key
it names. Such a payment carries no txid, so the payee’s own charge may stay open.

| \`failureReason\` | Meaning |
| --- | --- |
${rows(Object.entries(failures).map(([reason, meaning]) => [`\`${reason}\``, meaning] as const))}

In the sandbox a Pix to

| Key | |
| --- | --- |
${rows(testKeys)}

## The clock of your sandbox

\`POST /v1/sandbox/clock\` with \`{"advance": "P3D"}\`, or with an instant as \`at\`, moves the time of your sandbox forward, so that you
see today what happens in a month: charges and API keys expire, card money settles, a dispute’s deadline passes (which
decides nothing), a cool-down ends. What happens from then on has the new time. Rate limits, sessions, Idempotency-Keys, the
retries of webhooks and the log of requests keep the real time, as do the headers of a delivery. The clock never goes back.

## Webhooks

Each event is posted to every configured URL that wants it. \`X-Webhook-Signature\` is \`sha256=\` and the HMAC-SHA256, in
hex, of the raw body under the configuration’s secret; compare it in constant time before you read anything. Answer 2xx
within 10 seconds. Without that it is sent again after 2, 4, 8, 16 and 32 seconds, with the same \`X-Webhook-Id\`; then
never again, unless the webhook’s \`retrySchedule\` is \`extended\`. Bodies may gain fields, such as a charge’s
\`metadata\`: pass over those you don’t know. The same event may come more than once, with the same
\`X-Webhook-Event-Id\`. Events of one object may arrive out of order: keep the highest \`X-Webhook-Sequence\`. A webhook whose
\`signatureVersion\` is \`standard\` gets the headers of Standard Webhooks, too. A secret rotated with a \`gracePeriodSeconds\`
signs on beside the new one for so long. \`POST /v1/webhook-config/{id}/test\` sends
one URL a \`webhook.test\`, or any event with a body made of one of your objects, marked by \`X-Webhook-Test\` and
\`isTest: true\` in \`data\`. In the sandbox \`POST /v1/sandbox/webhook-faults\` lets events come twice, late, in the wrong order,
forged, or not at the first attempt.

An event may overtake another one of its object, come twice, or come twice at once. One statement deals with all three: keep
a row of each object, and change it only by a higher number. With the answer’s row the event is new; without one it is
late or known, and is answered 2xx all the same.

\`\`\`sql
${orderSample}
\`\`\`

\`$1\` is \`data.id\`, \`$2\` is \`sequence\` and \`$3\` is \`data.status\`. What a later event says includes what an
earlier one said, so nothing is lost with one that is passed over. Numbers have gaps: don’t wait for the one in between.
\`charge.created\`, \`charge.cancelled\`, \`withdrawal.created\` and \`withdrawal.approved\` are hints: one may never come, so
show something by them, and decide nothing.`;
