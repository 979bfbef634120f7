import { beforeEach, describe, expect, test } from '@jest/globals';
import { timelinePart } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { flipColumns, keepRow, putBack } from '@plataforma/testing/world';
import { soundWorld } from './support/books.ts';
import { newTenant } from './support/identity.ts';
import { callsIn, hired, outcome, proposed } from './support/proposals.ts';
import { merchantIn } from './support/wallet-calls.ts';
import { ownRoleIn, startWorld } from './support/world.ts';

const world = soundWorld(startWorld);
const insider = ownRoleIn(world);
const { employ, adjust, unblock, approve, reject, listed } = callsIn(world);

const one = hired('FINANCE', 90);
const other = hired('FINANCE', 60);
beforeEach(() => employ(false, one, other));

describe('an intruder with the ledger’s database role', () => {
  test('changes no column of a proposal unnoticed', async () => {
    const { id } = proposed(await adjust(one, { ...newTenant(), amount: 100 }));
    const changes: string[] = [];

    for await (const change of flipColumns(insider, 'proposals', {
      ...{ id, without: ['id'] },
      values: { status: ["'PROPOSED'"], arguments: [`arguments || '{"amount": 99999999}'`] },
    })) {
      changes.push(change);
      expect([change, outcome(await approve(other, id))]).toEqual([change, '409 INVALID_STATE']);
      expect((await listed(`id=${id}`)).items[0]?.effect).toMatch(/does not have the seal/);
    }

    expect(changes.length).toBeGreaterThan(8);
    expect(await approve(other, id)).toMatchObject({ status: 200 });
  });

  test('puts no executed proposal back', async () => {
    const { id } = proposed(await adjust(one, { ...newTenant(), amount: 100 }));
    const older = await keepRow(insider, 'proposals', id);
    expect(await approve(other, id)).toMatchObject({ status: 200 });

    expect(await putBack(insider, 'proposals', older)).toBe(false);
  });

  test('inserts no proposal that can be approved', async () => {
    const { id } = proposed(await adjust(one, { ...newTenant(), amount: 100 }));
    const copy = newId();
    await insider.query(
      `INSERT INTO proposals SELECT (jsonb_populate_record(p, jsonb_build_object('id', $2::text))).*
       FROM proposals p WHERE id = $1`,
      [id, copy],
    );

    expect(outcome(await approve(other, copy))).toBe('409 INVALID_STATE');
    expect((await listed(`id=${copy}`)).items[0]?.effect).toMatch(/does not have the seal/);
  });
});

async function linesOf(id: string) {
  const { data } = await world.askAs('gateway', `/internal/timeline?ids=${id}`);
  const { entries } = timelinePart.parse(data);
  return entries.filter(({ kind }) => kind === 'proposal').map(({ what, detail }) => ({ what, ...detail }));
}

test('a merchant’s timeline shows proposals with their approval, refusal or expiry', async () => {
  const tenant = await merchantIn(world);
  const { merchantId } = tenant;
  const done = proposed(await adjust(one, { ...tenant, amount: 700 }));
  await approve(other, done.id);
  const refused = proposed(await unblock(one, { ...tenant, amount: 500, reason: 'CPF 123.456.789-09' }));
  await reject(other, refused.id);
  const late = proposed(await adjust(one, { ...tenant, amount: 900 }));
  expect((await linesOf(merchantId)).at(-1)).toMatchObject({
    what: 'an operator proposed wallet.adjustment',
  });
  await world.database.query("UPDATE proposals SET expires_at = now() - interval '1 ms' WHERE id = $1", [
    late.id,
  ]);

  const lines = await linesOf(merchantId);

  const [by, decided] = [{ proposedBy: one.id, merchantId }, { decidedBy: other.id }];
  const adjusted = { what: 'an operator proposed wallet.adjustment', reason: 'a kindness', ...by };
  expect(lines).toMatchObject([
    { ...adjusted, proposalId: done.id, amount: 700 },
    {
      what: 'another operator approved wallet.adjustment, which was executed',
      ...{ proposalId: done.id, ...decided },
    },
    { what: 'an operator proposed wallet.unblock', reason: 'CPF [document]', amount: 500, ...by },
    {
      what: 'an operator refused wallet.unblock',
      ...{ proposalId: refused.id, decisionReason: 'wrong', ...decided },
    },
    { ...adjusted, proposalId: late.id, amount: 900 },
    { what: 'the proposal of wallet.adjustment expired', proposalId: late.id },
  ]);
});

test('a proposal is found under the id of the object that it creates', async () => {
  const tenant = await merchantIn(world);
  const { subjectId } = proposed(await adjust(one, { ...tenant, amount: 700 }));

  expect(await linesOf(subjectId)).toHaveLength(1);
  expect(await linesOf(one.id)).toEqual([]);
});
