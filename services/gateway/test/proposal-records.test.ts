import { expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { openDatabase, sealingKeys } from '@plataforma/data';
import { newId, systemClock } from '@plataforma/kernel';
import { createRowSeals } from '@plataforma/tables';
import { eventually } from '@plataforma/testing';
import { openAt, silent, worldOfFile } from '@plataforma/testing/world';
import { startSchedule } from '../src/schedule.ts';
import { changeSettings, operatorAs } from './support/operators.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);

type Person = Awaited<ReturnType<typeof operatorAs>>;

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
