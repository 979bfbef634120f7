import { describe, expect, test } from '@jest/globals';
import { rounds } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { auditOf, changeSettings, eventsOf, operatorAs, snapshotOf } from './support/operators.ts';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);
const admin = beforeFile(() => operatorAs(world, 'ADMIN'));

const patch = (id: string, body: unknown, headers: Record<string, string> = admin.headers) =>
  changeSettings(world, id, { body, headers });

describe('two concurrent operators', () => {
  test(`change settings one after the other, ${rounds(50)} times`, async () => {
    const { id } = await world.newMerchant();
    const other = await operatorAs(world, 'ADMIN');

    for (let round = 1; round <= rounds(50); round += 1) {
      const answers = await Promise.all([
        patch(id, { pixFeeBps: 1_000 + round }),
        patch(id, { cardFeeBps: 2_000 + round }, other.headers),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const now = { pixFeeBps: 1_000 + round, cardFeeBps: 2_000 + round, version: 1 + 2 * round };
      expect(await snapshotOf(world, id)).toMatchObject(now);
    }

    const events = await eventsOf(world, id);
    const versions = Array.from({ length: 1 + 2 * rounds(50) }, (_, index) => index + 1);
    expect(events.map(({ sequence }) => sequence)).toEqual(versions);
    expect(events.map(({ data }) => data.version)).toEqual(versions);
  });

  test('leave an audit log without gaps between values', async () => {
    const { id } = await world.newMerchant();

    const changes = Array.from({ length: 12 }, (_, index) =>
      patch(id, index % 2 ? { pixFeeBps: index } : { cardFeeBps: index }),
    );
    await Promise.all(changes);

    // An id is generated before its row is written, so the order of ids may differ from the order of the
    // changes. The test follows `before` and `after` instead.
    const rows = await auditOf(world, id);
    const ends = new Map(rows.map(({ before, after }) => [JSON.stringify(before), after]));
    let last: unknown = rows.find(
      ({ before }) => before.pixFeeBps === 99 && before.cardFeeBps === 399,
    )?.before;
    for (let step = 0; step < 12; step += 1) last = ends.get(JSON.stringify(last));
    expect([rows.length, ends.size]).toEqual([12, 12]);
    expect(await snapshotOf(world, id)).toMatchObject(Object(last));
  });

  test('approve a merchant and change its settings without conflict', async () => {
    for (let round = 0; round < rounds(10); round += 1) {
      const { id } = await world.newMerchant();

      const [approved, changed] = await Promise.all([
        world.call(`/v1/admin/merchants/${id}/approve`, { method: 'POST', headers: admin.headers }),
        patch(id, { cardEnabled: true }),
      ]);

      expect([approved.status, changed.status]).toEqual([200, 200]);
      expect(await snapshotOf(world, id)).toMatchObject({
        status: 'APPROVED',
        cardEnabled: true,
        version: 3,
      });
      expect((await eventsOf(world, id)).map(({ data }) => data.version)).toEqual([1, 2, 3]);
    }
  });
});
