import { expect, test } from '@jest/globals';
import { api, type Endpoint, schemaOf } from '@plataforma/contracts';
import { z } from 'zod';
import { readQuery } from '../src/query.ts';

type Values = Record<string, string | string[]>;

function refusalOf(endpoint: Endpoint, query: Values): string {
  try {
    readQuery(endpoint, query, { principal: null });
    return 'none';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const all = Object.entries<Endpoint>(api).map(([operation, endpoint]) => {
  const schema = schemaOf(endpoint, 'query');
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  return { operation, endpoint, names };
});

/**
 * Operations that refuse a wrong parameter with another message than expected. The key is the parameter or
 * the expected message. Such an operation refuses another parameter first, or has a larger limit.
 */
const exceptions: Record<string, string[]> = {
  environment: ['reconcile'],
  'limit: must be at most 100': [
    ...['Gateway', 'Charges', 'Withdrawals', 'Ledger', 'Webhooks'].map((of) => `verifyAuditLogOf${of}`),
    'verifyBooks',
    'verifyJournal',
  ],
};

const NO_DATE =
  'must be a day that exists, such as 2026-11-22, or an instant with seconds and Z or an offset, ' +
  'such as 2026-11-22T10:00:00-03:00; a + is %2B in a URL';
const days = ['yesterday', '2026-02-30', '10/11/2026', '2026-11-10T23:59:59', '2026-11-02T10:00', '\0'];

test.each<[string, string, ...(string | string[])[]]>([
  ['limit', 'must be at least 1', '0', '-1'],
  ['limit', 'must be at most 100', '101'],
  ['limit', 'must be a number', 'ten', '1e1'],
  ['page', 'must be at least 1', '0'],
  ['page', 'must be at most 1000000', '99999999999'],
  ['page', 'must be an integer', '1.5'],
  ['page', 'must be a number', 'two'],
  ['startDate', NO_DATE, ...days, '0000-01-01'],
  ['endDate', NO_DATE, ...days, '2026-13-01'],
  ['timeZone', 'must be one of UTC, America/Sao_Paulo', 'Europe/Lisbon', 'America/New_York'],
  ['search', 'is required', ''],
  ['search', 'may not hold control characters', 'a\0b'],
  ['externalId', 'is required', ''],
  ['environment', 'must be one of production, sandbox', 'live', 'staging'],
  ['merchantId', 'must be a ', '1', 'x'],
  ['resourceId', 'must be a valid uuid', '1'],
  ['webhookId', 'must be a valid uuid', '1', 'mine'],
  ['minAmount', 'is required', ''],
  ['minAmount', 'must be at least 0', '-1'],
  ['minAmount', 'must be a number', '1e3'],
  ['maxAmount', 'must be an integer', '10.50'],
  ['maxAmount', 'must be at most 9007199254740991', '99999999999999999'],
  ['status', 'must be one of ', 'OVER', 'pending', ['PENDING', 'FAILED']],
  ['status', 'is required', ''],
])('no endpoint accepts a wrong %s: %s', (name, reason, ...values) => {
  const message = `${name}: ${reason}`;
  const except = exceptions[message] ?? exceptions[name] ?? [];
  const having = all.filter(({ names, operation }) => names.includes(name) && !except.includes(operation));

  const others = having.flatMap(({ operation, endpoint }) =>
    values.flatMap((value) => {
      const refusal = refusalOf(endpoint, { [name]: value });
      return refusal.startsWith(message) ? [] : [`${operation} ${value} ${refusal}`];
    }),
  );

  expect(having.length).toBeGreaterThan(1);
  expect(others).toEqual([]);
});

test.each<[Values, string]>([
  [{ startDate: '2026-11-22', endDate: '2026-11-21' }, 'startDate: must not be after endDate'],
  [{ minAmount: '2', maxAmount: '1' }, 'minAmount: must not be above maxAmount'],
])('no endpoint accepts %j', (query, message) => {
  const having = all.filter(({ names }) => Object.keys(query).every((name) => names.includes(name)));

  const refusals = having.map(({ operation, endpoint }) => [operation, refusalOf(endpoint, query)]);

  expect(refusals.length).toBeGreaterThan(1);
  expect(refusals).toEqual(having.map(({ operation }) => [operation, message]));
});

const EVENT = 'event: must be one of charge.created, ';
const WITHDRAWALS = 'status: must be one of PENDING, APPROVED, PROCESSING, COMPLETED, FAILED, REJECTED';

test.each<[keyof typeof api, string, string]>([
  ['listCharges', 'paymentMethod=PAYPAL', 'paymentMethod: must be one of PIX, CARD, BOLETO'],
  ['listCharges', 'payerDocument=123', 'payerDocument: must be a CPF (11 digits) or CNPJ (14)'],
  [
    'listCharges',
    'status=NEW',
    'status: must be one of PENDING, PAID, EXPIRED, CANCELLED, REFUNDED, DISPUTED',
  ],
  ['listAllRefunds', 'status=PAID', 'status: must be one of REQUESTED, DEBITED, ACCEPTED, DONE, REFUSED'],
  ['listAllDisputes', 'overdue=false', 'overdue: must be one of true'],
  ['listAllUnexpectedPayments', 'status=LATE', 'status: must be one of RETURNING, RETURNED, RETURN_REFUSED'],
  ['listWithdrawals', 'status=DEBITING', WITHDRAWALS],
  ['listWithdrawals', 'status=ABANDONED', WITHDRAWALS],
  ['listWithdrawals', 'method=BOLETO', 'method: must be one of PIX, TED'],
  ['listAllWithdrawals', 'status=DEBITING', WITHDRAWALS],
  ['listAllWithdrawals', 'method=BOLETO', 'method: must be one of PIX, TED'],
  ['listAllWithdrawals', 'stuck=false', 'stuck: must be one of true'],
  ['listWebhookDeliveries', 'status=DONE', 'status: must be one of PENDING, SUCCEEDED, FAILED'],
  ['listWebhookDeliveries', 'event=charge.sold', EVENT],
  ['listAllWebhookDeliveries', 'status=DONE', 'status: must be one of PENDING, SUCCEEDED, FAILED'],
  ['listWebhookEndpoints', 'failing=false', 'failing: must be one of true'],
  ['listEvents', 'event=webhook.test', EVENT],
  ['listAccounts', 'account=gold', 'account: must be one of available:PIX, '],
  ['listMerchants', 'status=OPEN', 'status: must be one of PENDING, APPROVED, REJECTED, SUSPENDED'],
  ['listRequests', 'status=3xx', 'status: must be one of 2xx, 4xx, 5xx'],
  ['listRequests', 'method=PUT', 'method: must be one of GET, HEAD, POST, PATCH, DELETE'],
  ['listRequests', 'requestId=a%20b', 'requestId: '],
  ['listRequests', 'objectId=1', 'objectId: must be a valid uuid'],
  ['listRequests', 'path=%00', 'path: may not hold control characters'],
  ['listAuditLogOfLedger', 'action=', 'action: is required'],
  ['listDeadLettersOfLedger', 'replayed=maybe', 'replayed: must be one of true, false'],
  // Parameters that only other lists have, and unknown parameters.
  ['getStatement', 'type=CREDIT', 'type: is not a known parameter'],
  ['getBalance', 'environment=production', 'environment: is not a known parameter'],
  ['listOperators', 'role=ADMIN', 'role: is not a known parameter'],
  ['listWithdrawals', 'merchantId=x', 'merchantId: is not a known parameter'],
  ['listPayoutAlarms', 'told=COMPLETED', 'told: is not a known parameter'],
])('%s refuses %s', (operation, query, message) => {
  const refusal = refusalOf(api[operation], Object.fromEntries(new URLSearchParams(query)));

  expect(refusal.slice(0, message.length)).toBe(message);
});
