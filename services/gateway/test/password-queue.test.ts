import { beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { createPasswordQueues, PASSWORD_COST } from '../src/passwords.ts';
import type { Answered } from './support/send.ts';
import { registration, startWorld } from './support/world.ts';

/** The number of log-ins at the same time. It is far above the number that may wait for a hash. */
const CROWD = 200;
/** The number of times that an account's owner logs in while the log-ins of the crowd wait. */
const ENTERED = 2;
/** With these options a busy machine, which hashes slowly, does not refuse any password. */
const PATIENT = { cost: PASSWORD_COST, longestWaitMs: 60_000 };

const world = worldOfFile(() =>
  startWorld({
    settings: { TRUSTED_PROXIES: '127.0.0.1' },
    tuning: { passwordCost: PASSWORD_COST },
  }),
);

/** Logs in from a different address and to a different account each time. */
const logIn = (host: number) =>
  world.post(
    '/v1/auth/login',
    { email: `${newId()}@nobody.example`, password: 'guess' },
    { 'x-forwarded-for': `203.0.113.${host}` },
  );
const logInOperator = () => world.logInOperator();

async function approve(email: string): Promise<void> {
  await world.database.query(
    `UPDATE organizations SET status = 'APPROVED' WHERE id = (SELECT organization_id FROM users
      WHERE email = $1)`,
    [email],
  );
}

interface Crowd {
  all: Promise<Answered[]>;
  /** Resolves when a log-in is refused because too many log-ins wait. */
  full: Promise<void>;
}

function startCrowd(): Crowd {
  const { promise: full, resolve } = Promise.withResolvers<void>();
  const answers = Array.from({ length: CROWD }, async (_, host) => {
    const answer = await logIn(host);
    if (answer.status === 503) resolve();
    return answer;
  });
  return { all: Promise.all(answers), full };
}

/** Returns the sum of all callers' counters of one kind, such as `address`. */
async function pointsOf(kind: string): Promise<number> {
  const [row] = await world.database.query<{ points: number }>(
    "SELECT sum(points)::int AS points FROM rate_counters WHERE key LIKE '/v1/auth/login ' || $1 || ':%'",
    [kind],
  );
  return row?.points ?? 0;
}

describe('a crowd of log-ins beyond the hashing capacity', () => {
  let answers: Answered[];
  let merchant: Answered;
  let operator: Answered;

  beforeAll(async () => {
    const { email, password } = registration();
    await world.post('/v1/auth/register', { ...registration(), email, password });
    await approve(email);
    const enter = () => world.post('/v1/auth/login', { email, password });
    await enter();
    const { all, full } = startCrowd();
    await full;
    [merchant, operator] = await Promise.all([enter(), logInOperator()]);
    answers = await all;
  });

  test('does not count refused log-ins as failed log-ins', async () => {
    const failed = answers.filter(({ status }) => status === 401).length;
    const away = answers.filter(({ status }) => status === 503).length;

    expect([failed + away, away > 0]).toEqual([CROWD, true]);
    for (const kind of ['address', 'pair', 'e-mail'])
      await eventually(async () => expect([kind, await pointsOf(kind)]).toEqual([kind, failed]));
    for (const kind of ['all address', 'all pair'])
      await eventually(async () => expect([kind, await pointsOf(kind)]).toEqual([kind, failed + ENTERED]));
  });

  test('does not block a user with an earlier log-in there', () => {
    expect(merchant.status).toBe(200);
  });

  test('does not block an operator', () => {
    expect(operator.status).toBe(200);
  });
});

test('unapproved accounts cannot block log-ins of an approved account', async () => {
  const account = (host: number) => {
    const { email, password } = registration();
    const headers = { 'x-forwarded-for': `198.51.100.${host}` };
    const send = (path: string, body: object) => world.post(path, body, headers);
    return {
      email,
      register: () => send('/v1/auth/register', { ...registration(), email, password }),
      enter: () => send('/v1/auth/login', { email, password }),
    };
  };
  const merchant = account(1);
  const strangers = Array.from({ length: 28 }, (_, at) => account(at + 2));
  for (const { register, enter } of [merchant, ...strangers]) {
    await register();
    expect((await enter()).status).toBe(200);
  }
  await approve(merchant.email);

  const { promise: full, resolve } = Promise.withResolvers<void>();
  const crowd = strangers.flatMap(({ enter }) =>
    Array.from({ length: 4 }, async () => {
      const { status } = await enter();
      if (status === 503) resolve();
      return status;
    }),
  );
  await full;
  const { status } = await merchant.enter();
  const statuses = await Promise.all(crowd);

  expect(status).toBe(200);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
});

test('one network of strangers has at most twelve passwords in progress', async () => {
  const { strangers } = await createPasswordQueues(PATIENT);
  const crowd = Promise.allSettled(
    Array.from({ length: 40 }, () => strangers.verify(undefined, 'guess', '2001:db8:1::/48')),
  );

  const other = await strangers.verify(undefined, 'guess', '2001:db8:2::/48');
  const ends = await crowd;

  expect(other).toBe(false);
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(12);
});

test('ten busy networks delay another by one hash each', async () => {
  const { strangers } = await createPasswordQueues(PATIENT);
  const compared: string[] = [];
  // The password contains a no-break space and composed and decomposed letters, so it is compared in four
  // forms.
  const crowd = Array.from({ length: 120 }, async (_, at) => {
    const network = `2001:db8:${at % 10}::/48`;
    await strangers.verify(undefined, 'a\u00a0\u00e9e\u0301', network);
    compared.push(network);
  });
  const ended = Promise.allSettled(crowd);

  const other = await strangers.verify(undefined, 'guess', '2001:db8:ff::/48');

  expect([other, compared]).toEqual([false, []]);
  await ended;
});

test('the queue limits the wait, and classes do not share it', async () => {
  const { recognized, strangers } = await createPasswordQueues({ longestWaitMs: 1 });
  const crowd = Array.from({ length: 50 }, (_, at) => strangers.verify(undefined, 'guess', `${at}`));

  const hash = await recognized.hash('a long password');
  const outcomes = await Promise.allSettled(crowd);

  expect(await recognized.verify(hash, 'a long password')).toBe(true);
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  expect(outcomes[0]).toEqual({ status: 'fulfilled', value: false });
  expect(refused.length).toBeGreaterThan(40);
  expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['SERVICE_UNAVAILABLE']));
  // The queue accepts passwords again after the refusals.
  expect(await strangers.verify(hash, 'a long password')).toBe(true);
});

test('concurrent log-ins to one account do not delay another', async () => {
  const { recognized } = await createPasswordQueues(PATIENT);
  const [busy, other] = await Promise.all([
    recognized.hash('one password'),
    recognized.hash('another password'),
  ]);

  const crowd = Promise.allSettled(Array.from({ length: 30 }, () => recognized.verify(busy, 'one password')));
  const owner = await recognized.verify(other, 'another password');
  const ends = await crowd;

  expect(owner).toBe(true);
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
});
