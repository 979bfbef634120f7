import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { act, rewriteFrom, startKeptChains } from './support/kept-chains.ts';
import { operatorAs } from './support/operators.ts';

type Operator = Awaited<ReturnType<typeof operatorAs>>;

let chains: Awaited<ReturnType<typeof startKeptChains>>;
let finance: Operator;
let second: Operator;

beforeAll(async () => {
  chains = await startKeptChains();
  finance = await operatorAs(chains.world, 'FINANCE', { days: 3 });
  second = await operatorAs(chains.world, 'FINANCE', { days: 2 });
  for (const reason of ['1', '2', '3']) await act(chains.databaseOf('ledger'), reason);
  await chains.keepHead('ledger', 1, 'journal');
});
afterAll(() => chains.stop());

const read = (path: string) => chains.world.call(`/v1/admin/${path}`, { headers: finance.headers });
const beginEpoch = ({ headers }: Operator, service = 'ledger') =>
  chains.world.call('/v1/admin/audit-epochs', {
    ...{ method: 'POST', headers },
    body: { service, chain: 'journal', reason: 'banco restaurado' },
  });

const ownBooks = { wallets: 2, entries: 3, differences: [], next: null };

test('the ledger verifies its books, and other services its heads', async () => {
  const whole = { lastSequence: 3, firstBrokenSequence: null };
  const keptBy = ['gateway', 'charges', 'withdrawals', 'webhooks'].map((service) => ({ service, ...whole }));

  expect((await read('ledger/verify?limit=100')).json.data).toEqual({
    ...ownBooks,
    journal: {
      ...{ isIntact: true, firstBrokenSequence: null, keptBy, next: null },
      anchored: { sequence: 3, at: expect.any(String) },
    },
  });
  expect((await read('ledger/journal/verify')).json.data).toMatchObject({ isIntact: true, rows: 3, keptBy });
  await chains.anHourLater();
  expect((await read('audit-anchors')).json.data).toContainEqual(
    expect.objectContaining({ service: 'ledger', chain: 'journal', anchoredSequence: 3, isIntact: true }),
  );
  expect(await beginEpoch(finance)).toMatchObject({ status: 409 });
  expect(await beginEpoch(finance, 'charges')).toMatchObject({ status: 400 });
});

test('verification needs the ledger and two services with its heads', async () => {
  for (const away of [['ledger'], ['charges', 'withdrawals', 'webhooks']] as const) {
    for (const name of away) chains.away.add(name);
    for (const path of ['ledger/verify', 'ledger/journal/verify'])
      expect(await read(path)).toMatchObject({ status: 503 });
    chains.away.clear();
  }
});

test('verification stops at a timeout and continues with the next call', async () => {
  chains.slow.add('ledger');
  const next = expect.stringMatching(/^1:[0-9a-f]{64}$/);
  const { data } = (await read('ledger/verify')).json;
  expect(data).toMatchObject({ ...ownBooks, journal: { isIntact: true, anchored: { sequence: 3 }, next } });
  expect((await read('ledger/journal/verify')).json.data).toMatchObject({ isIntact: true, rows: 1, next });

  chains.slow.clear();
  const after = z.object({ journal: z.object({ next: z.string() }) }).parse(data).journal.next;
  expect((await read(`ledger/journal/verify?after=${after}`)).json.data).toMatchObject({
    rows: 2,
    next: null,
  });
});

test('stored heads reveal a journal rewritten with all its hashes', async () => {
  await rewriteFrom(chains.databaseOf('ledger'), 1);

  expect((await read('ledger/verify')).json.data).toMatchObject({
    ...ownBooks,
    journal: { isIntact: false, firstBrokenSequence: 3 },
  });
  expect((await read('ledger/journal/verify')).json.data).toMatchObject({ isIntact: false });
  await chains.anHourLater();
  expect((await read('audit-anchors')).json.data).toContainEqual(
    expect.objectContaining({ service: 'ledger', chain: 'journal', isIntact: false, firstBrokenSequence: 3 }),
  );
});

test('two operators begin a new epoch of the journal alone', async () => {
  expect(await beginEpoch(finance)).toMatchObject({ status: 202 });
  expect(await beginEpoch(second)).toMatchObject({
    ...{ status: 201, json: { data: { service: 'ledger', chain: 'journal', epoch: 2 } } },
  });

  expect((await read('ledger/verify')).json.data).toMatchObject({ journal: { isIntact: true } });
  expect((await read('audit-anchors')).json.data).toContainEqual(
    expect.objectContaining({ service: 'ledger', chain: 'audit', epoch: 1 }),
  );
});
