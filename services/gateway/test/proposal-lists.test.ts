import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { api, type ProposalView } from '@plataforma/contracts';
import { openDatabase, sealingKeys } from '@plataforma/data';
import { newId, systemClock } from '@plataforma/kernel';
import { createRowSeals } from '@plataforma/tables';
import { eventually } from '@plataforma/testing';
import { openAt, silent, worldOfFile } from '@plataforma/testing/world';
import { z } from 'zod';
import { startSchedule } from '../src/schedule.ts';
import { changeSettings, operatorAs } from './support/operators.ts';
import { startWorld, verifierOf } from './support/world.ts';

type Person = Awaited<ReturnType<typeof operatorAs>>;

const world = worldOfFile(startWorld);
let admin: Person;
let finance: Person;

beforeAll(async () => {
  admin = await operatorAs(world, 'ADMIN', { days: 90 });
  finance = await operatorAs(world, 'FINANCE', { days: 60 });
});
afterEach(async () => {
  for (const name of ['charges', 'ledger', 'withdrawals'] as const) await world.services[name].reset();
});

const approve = ({ headers }: Person, id: string, key: string = newId()) =>
  world.post(`/v1/admin/proposals/${id}/approve`, undefined, { ...headers, 'idempotency-key': key });
const reject = ({ headers }: Person, id: string) =>
  world.post(`/v1/admin/proposals/${id}/reject`, { reason: 'wrong' }, headers);
const read = ({ headers }: Person, path: string) => world.call(`/v1/admin/proposals${path}`, { headers });
const page = z.object({
  data: z.array(api.listProposals.data),
  meta: z.object({ total: z.int(), pages: z.int() }),
});
const outcome = ({ status, code }: { status: number; code: string }) => `${status} ${code}`.trim();

describe('the proposals of all services', () => {
  const atLedger = (minute: number): ProposalView => ({
    ...{ id: newId(), service: 'ledger', action: 'wallet.adjustment', effect: 'Give.', subjectId: newId() },
    ...{ merchantId: newId(), environment: 'sandbox', amount: 100, reason: 'x', status: 'PROPOSED' },
    ...{ proposedAt: new Date(Date.UTC(2020, 1, 1, 12, minute)).toISOString(), proposedBy: newId() },
    ...{ expiresAt: new Date(Date.UTC(2020, 1, 2)).toISOString() },
    ...{ decidedAt: null, decidedBy: null, decisionReason: null },
  });
  /** Makes the ledger list these proposals, newest first, and answer each decision with the first of them. */
  function ledgerHas(...all: ProposalView[]): void {
    has('charges');
    has('withdrawals');
    has('ledger', ...all);
  }
  const has = (service: 'charges' | 'ledger' | 'withdrawals', ...all: ProposalView[]) =>
    world.services[service].answer(({ method, url }) => {
      const id = new URL(url, 'http://ledger').searchParams.get('id');
      const items = all.filter((each) => id === null || each.id === id);
      const data = method === 'GET' ? { total: items.length, items } : all[0];
      return { status: 200, body: JSON.stringify({ success: true, data }) };
    });

  test('are one list, newest first, by filter and in pages', async () => {
    const { id: merchantId } = await world.newMerchant();
    const sent = await changeSettings(world, merchantId, { body: { pixFeeBps: 1 }, headers: admin.headers });
    const own = api.readProposal.data.parse(sent.json.data);
    const [newer, older] = [atLedger(2), atLedger(1)];
    ledgerHas(newer, older);

    const found = page.parse((await read(finance, `?merchantId=${merchantId}&limit=2`)).json);
    const rest = page.parse((await read(finance, `?merchantId=${merchantId}&limit=2&page=2`)).json);

    expect([found.data, rest.data, found.meta]).toEqual([[own, newer], [older], { total: 3, pages: 2 }]);
    const query = new URL(world.services.ledger.last().url, 'http://ledger').searchParams;
    expect(Object.fromEntries(query)).toEqual({ merchantId, newest: '5' });
    const support = await operatorAs(world, 'SUPPORT');
    expect(outcome(await read(support, ''))).toBe('403 FORBIDDEN');
  });

  test('are approved and rejected at their service', async () => {
    const proposal = atLedger(1);
    ledgerHas(proposal);

    const answers = [await read(finance, `/${proposal.id}`), await approve(finance, proposal.id, 'a key')];
    const passed = world.services.ledger.last();
    answers.push(await reject(finance, proposal.id));

    expect(answers.map(({ status, json }) => [status, json.data])).toEqual(Array(3).fill([200, proposal]));
    expect([passed.method, passed.url, passed.headers['idempotency-key']]).toEqual([
      ...['POST', `/v1/admin/proposals/${proposal.id}/approve`, 'a key'],
    ]);
    const { identity } = verifierOf('ledger').verify(String(passed.headers['x-internal-identity']));
    expect(identity).toMatchObject({ kind: 'operator', operatorId: finance.id, role: 'FINANCE' });
    expect(JSON.parse(String(world.services.ledger.last().body))).toEqual({ reason: 'wrong' });
  });

  test('are 503 without the ledger, and 404 if no service has one', async () => {
    ledgerHas();
    const unknown = [
      await read(finance, `/${newId()}`),
      await approve(finance, newId()),
      await read(finance, '/x'),
    ];
    world.services.ledger.intercept((req) => req.socket.destroy());
    const silent = [
      await read(finance, ''),
      await read(finance, `/${newId()}`),
      await reject(finance, newId()),
    ];

    expect(unknown.map(outcome)).toEqual(Array(3).fill('404 NOT_FOUND'));
    expect(silent.map(outcome)).toEqual(Array(3).fill('503 SERVICE_UNAVAILABLE'));
  });
});

const twoAdmins = async () =>
  [await operatorAs(world, 'ADMIN', { days: 90 }), await operatorAs(world, 'ADMIN', { days: 60 })] as const;
const proposed = ({ json }: { json: { data?: unknown } }) => api.approveProposal.data.parse(json.data);
const decide = (id: string, step: 'approve' | 'reject', { headers }: Person) =>
  world.post(
    `/v1/admin/proposals/${id}/${step}`,
    step === 'reject' ? { reason: 'wrong' } : undefined,
    headers,
  );

const noRecords = { subject: null, related: [], belongsTo: null, now: null, isCut: false, entries: [] };

test('the timeline of a merchant shows its proposals and what became of them', async () => {
  const [one, other] = await twoAdmins();
  const { id } = await world.newMerchant();
  const body = JSON.stringify({ success: true, data: noRecords });
  for (const service of Object.values(world.services)) service.answer(() => ({ status: 200, body }));
  const change = async (changes: object) =>
    proposed(await changeSettings(world, id, { body: changes, headers: one.headers })).id;
  const fee = await change({ pixFeeBps: 120 });
  await decide(fee, 'approve', other);
  const limit = await change({ autoApproveLimit: 9_999_999 });
  await decide(limit, 'reject', other);

  const { status, json } = await world.call(`/v1/admin/timeline/${id}`, { headers: one.headers });

  expect(status).toBe(200);
  const { subject, entries } = api.readTimeline.data.parse(json.data);
  expect(subject).toMatchObject({ kind: 'merchant', id, status: 'PENDING' });
  const shown = entries.map(({ service, kind, what, detail }) => [service, kind, what, detail.proposalId]);
  expect(shown.filter(([, kind]) => kind !== 'announcement')).toEqual([
    ['gateway', 'proposal', 'an operator proposed merchant.settings', fee],
    ['gateway', 'proposal', 'another operator approved merchant.settings, which was executed', fee],
    ['gateway', 'decision', 'an operator did merchant.settings', undefined],
    ['gateway', 'proposal', 'an operator proposed merchant.settings', limit],
    ['gateway', 'proposal', 'an operator refused merchant.settings', limit],
  ]);
});

const noChains = {
  verify: async () => null,
  headsAt: async () => null,
  beginEpoch: async () => null,
  listAnchors: async () => null,
};

test('an expired proposal of an operator loses the hash of the password', async () => {
  const [one, other] = await twoAdmins();
  const create = async () => {
    const body = { email: `${newId()}@plataforma.test`, password: 'uma senha bem longa', role: 'ADMIN' };
    return proposed(await world.post('/v1/admin/operators', body, one.headers));
  };
  const [open, late, forged] = [await create(), await create(), await create()];
  const expire = "UPDATE proposals SET expires_at = now() - interval '1 s' WHERE id = $1";
  await world.database.query(expire, [late.id]);
  const insider = await openAt(world.env.DATABASE_URL ?? '', 1);
  await insider.query(expire, [forged.id]);
  await insider.close();
  const isHashed = async ({ id }: { id: string }) => {
    const sql = "SELECT arguments ? 'passwordHash' AS has FROM proposals WHERE id = $1";
    return (await world.database.query<{ has: boolean }>(sql, [id]))[0]?.has;
  };

  const keys = sealingKeys.parse(world.env.ROW_KEYS);
  const seals = createRowSeals({ keys, mode: 'require', log: silent });
  const database = openDatabase({ url: world.env.DATABASE_URL ?? '', poolSize: 2, log: silent, seals });
  const forgetting = startSchedule({
    ...{ database, log: silent, clock: systemClock, everyMs: 20 },
    chains: noChains,
  });
  await eventually(async () => expect(await isHashed(late)).toBe(false));
  await forgetting.stop();
  await database.close();

  expect([await isHashed(open), await isHashed(forged)]).toEqual([true, true]);
  const read = await world.call(`/v1/admin/proposals/${late.id}`, { headers: one.headers });
  expect(read.json.data).toMatchObject({ status: 'EXPIRED', effect: late.effect });
  expect(await decide(forged.id, 'approve', other)).toMatchObject({ status: 409 });
});
