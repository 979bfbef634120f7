import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { endpoints } from '@plataforma/contracts';
import { bankOf, claimSite, eventually, type Platform, type TestSite } from '@plataforma/testing';
import { allActs } from '../../src/chaos/actors/acts/all.ts';
import { type Company, raiseCurtain } from '../../src/chaos/actors/company.ts';
import { openShops, type Shops } from '../../src/chaos/actors/shops.ts';
import { openDatabases, rowsOf } from '../../src/chaos/check/evidence.ts';
import { diceOf } from '../../src/chaos/dice.ts';
import { type Call, openHistory } from '../../src/chaos/history.ts';

let site: TestSite;
const history = openHistory();
let platform: Platform;
let shops: Shops;
let company: Company;

/** All acts run once here. Each test then checks one aspect of the results. */
beforeAll(async () => {
  site = await claimSite({ logLevel: 'warn' });
  platform = await site.start();
  const { baseUrl, operator } = platform.facts;
  const dice = diceOf(7);
  shops = await openShops(dice.named('shops'));
  const bank = bankOf(platform.facts);
  company = await raiseCurtain({ baseUrl, operator, bank, shops, history, dice, callsPerSecond: 60 });
  await setAsideAnEvent();
  company.start();
  const names = allActs.map(({ name }) => name).sort();
  const played = () => [...new Set([...company.counts.keys(), ...company.aborted.keys()])].sort();
  await eventually(() => expect(played()).toEqual(names), { timeoutMs: 120_000 });
  await company.stop();
});

afterAll(async () => {
  await platform?.stop();
  await shops?.stop();
  await site?.clear();
});

/** Stores a dead letter of a payment in the ledger's database, although the ledger has applied that event. */
async function setAsideAnEvent(): Promise<void> {
  const databases = await openDatabases(platform.databaseUrls);
  try {
    const [event] = await rowsOf<{ event_id: string; type: string; body: string }>(
      databases.charges,
      "SELECT event_id, type, body FROM outbox WHERE type = 'charge.paid' ORDER BY position LIMIT 1",
    );
    await databases.ledger.query(
      `INSERT INTO dead_letters (id, fingerprint, event_id, type, signature, body, reason, died_at)
       VALUES (gen_random_uuid(), $1::text, $1::text::uuid, $2, 'valid', convert_to($3, 'UTF8'), 'rejected',
       now())`,
      [event?.event_id, event?.type, event?.body],
    );
  } finally {
    await databases[Symbol.asyncDispose]();
  }
}

const summaryOf = ({ action, status, path, answer }: Call) => [action, status, path, JSON.stringify(answer)];
const codeOf = ({ answer }: Call) => /"code":"([A-Z_]+)"/.exec(JSON.stringify(answer))?.[1];

/**
 * Error codes that every request may get: the caller lacks permission, sends too many requests, or repeats a
 * request that is still in progress.
 */
const toAnybody = [
  ...['API_KEY_REVOKED', 'INVALID_TOKEN', 'UNAUTHORIZED'],
  ...['INSUFFICIENT_SCOPE', 'FORBIDDEN', 'REQUEST_IN_PROGRESS'],
  // All buyers of this test share one address, and no setting raises the rate limit of an address. A request
  // may therefore get this error.
  'RATE_LIMITED',
];

/**
 * Returns whether a full queue refused the call. A merchant may have two moves of the clock in progress, and
 * the gateway hashes few passwords at once.
 */
const crowded = ({ action, status }: Call) =>
  status === 503 && ['move-clock', 'log-in', 'register'].includes(action);

function refusalsOf({ method, path }: Call): readonly string[] {
  const segments = path.split('?')[0]?.split('/') ?? [];
  const matching = endpoints.filter((endpoint) => {
    const pattern = endpoint.path.split('/');
    const isSame = (part: string, index: number) => part.startsWith(':') || part === segments[index];
    return (
      endpoint.method === method.toLowerCase() && pattern.length === segments.length && pattern.every(isSame)
    );
  });
  return [...toAnybody, ...matching.flatMap(({ errors }) => errors)];
}

test('a healthy platform answers 5xx only for slow cards and full queues', () => {
  const late = (call: Call) =>
    /^(create-card-charge|visit-.*)$/.test(call.action) && codeOf(call) === 'PROVIDER_UNAVAILABLE';

  const wrong = history.calls.filter(
    (call) =>
      call.status === null || call.answer === null || (call.status >= 500 && !late(call) && !crowded(call)),
  );

  expect(wrong.map(summaryOf)).toEqual([]);
  expect(history.calls.filter(late).length).toBeGreaterThan(0);
});

test('every permitted action succeeds at least once', () => {
  // Calls refused with INVALID_STATE do not count: a competing request came first, and the same competitor
  // may win every time.
  const undecided = history.calls.filter((call) => codeOf(call) !== 'INVALID_STATE');
  const statuses = Map.groupBy(undecided, ({ action }) => action);
  const never = [...statuses].filter(
    ([, calls]) => !calls.some(({ status }) => status === 200 || status === 201),
  );

  const reasons = never.map(([action, calls]) => [action, ...new Set(calls.map(codeOf))]).sort();
  expect(reasons).toEqual([
    ['act-as-operator', 'UNAUTHORIZED'],
    ['change-anothers', 'NOT_FOUND'],
    ['overstep-role', 'FORBIDDEN'],
    ['overstep-scope', 'INSUFFICIENT_SCOPE'],
    ['read-anothers', 'NOT_FOUND'],
    ['reuse-order-id', 'EXTERNAL_ID_CONFLICT'],
    ['use-ended-key', expect.stringMatching(/^(API_KEY_REVOKED|INVALID_API_KEY)$/)],
    ['use-ended-session', 'INVALID_TOKEN'],
  ]);
});

test('an operator’s replay of a dead letter has no second effect', () => {
  const replays = history.calls.filter(({ action }) => action === 'replay-dead-letter');
  const done = replays.filter(({ status }) => status === 200);

  expect(done.map(({ answer }) => answer?.data)).toEqual([
    expect.objectContaining({ type: 'charge.paid', outcome: 'APPLIED_BEFORE' }),
  ]);
});

test('every refusal is one that the contract allows', () => {
  const unknown = history.calls.filter((call) => {
    const code = codeOf(call);
    return code !== undefined && !crowded(call) && !refusalsOf(call).some((allowed) => allowed === code);
  });

  expect(unknown.map(summaryOf)).toEqual([]);
});

test('the shops receive webhooks, and every webhook is signed', () => {
  const unsigned = shops.received.filter(({ isSigned }) => !isSigned);

  expect(shops.received.length).toBeGreaterThan(20);
  expect(unsigned.map(({ configurationPath, body }) => [configurationPath, body.toString()])).toEqual([]);
  expect(shops.received.map(({ configurationPath }) => configurationPath)).not.toContain('/followed');
});
