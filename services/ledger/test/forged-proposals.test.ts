import { beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { flipColumns, keepRow, putBack } from '@plataforma/testing/world';
import { soundWorld } from './support/books.ts';
import { newTenant } from './support/identity.ts';
import { callsIn, hired, outcome, proposed } from './support/proposals.ts';
import { ownRoleIn, startWorld } from './support/world.ts';

const world = soundWorld(startWorld);
const insider = ownRoleIn(world);
const { employ, adjust, approve, listed } = callsIn(world);

const one = hired('FINANCE', 90);
const other = hired('FINANCE', 60);
beforeAll(() => employ(false, one, other));

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
