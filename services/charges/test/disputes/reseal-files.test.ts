import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, JPEG, PDF, TICK_MS } from '@plataforma/testing';
import { disputedFiles } from '../support/files.ts';
import { type RefundWorld, startRefundWorld } from '../support/refund-world.ts';

let world: RefundWorld;

beforeAll(async () => {
  world = await startRefundWorld();
});
afterAll(() => world.stop());

const newer = `newer:${Buffer.alloc(32, 6).toString('base64')}`;

test('a file that an older key has sealed is sealed anew, is the same, and needs the old key no more', async () => {
  const dispute = await disputedFiles(world);
  const [one, spoiled] = [await dispute.added(), await dispute.added({ bytes: JPEG })];
  await world.database.query("UPDATE dispute_files SET sealed = 'x' WHERE id = $1", [spoiled.id]);
  const keyOf = async (id: string) => {
    const [row] = await world.database.query(
      'SELECT sealing_key_id AS key FROM dispute_files WHERE id = $1',
      [id],
    );
    return row?.key;
  };
  expect(await keyOf(one.id)).toBe('test');

  const both = await world.startReplica(
    { resealEveryMs: TICK_MS },
    { SEALING_KEYS: `${newer},${world.env.SEALING_KEYS}` },
  );
  await eventually(async () => expect(await keyOf(one.id)).toBe('newer'));
  await both.stop();

  const rotated = await world.startReplica({}, { SEALING_KEYS: newer });
  const download = await dispute.download(one.id, rotated.url);
  expect(Buffer.from(await download.arrayBuffer()).equals(PDF)).toBe(true);
  expect(await keyOf(spoiled.id)).toBe('test');
});
