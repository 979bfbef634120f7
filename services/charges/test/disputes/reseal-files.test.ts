import { expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { createSecretBox, type Queryable, sealingKeys } from '@plataforma/data';
import { eventually, JPEG, PDF, TICK_MS } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { openFile, saveSealed } from '../../src/disputes/store/dispute-files.ts';
import { disputedFiles } from '../support/files.ts';
import { startRefundWorld } from '../support/refund-world.ts';

const world = worldOfFile(startRefundWorld);

const keyOf = async (id: string) =>
  (await world.database.query('SELECT sealing_key_id AS key FROM dispute_files WHERE id = $1', [id]))[0]?.key;
/** Returns PostgreSQL's version (xmin) of a file's row, which changes with each update. */
const versionOf = async (id: string) =>
  (await world.database.query('SELECT xmin::text AS version FROM dispute_files WHERE id = $1', [id]))[0]
    ?.version;

const newer = `newer:${Buffer.alloc(32, 6).toString('base64')}`;

test('a file is encrypted again with the newer key, unchanged', async () => {
  const dispute = await disputedFiles(world);
  const [one, spoiled] = [await dispute.added(), await dispute.added({ bytes: JPEG })];
  await world.database.query("UPDATE dispute_files SET sealed = 'x' WHERE id = $1", [spoiled.id]);
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

test('a file is read whole when it is encrypted again between two reads', async () => {
  const dispute = await disputedFiles(world);
  const bytes = Buffer.concat([PDF, Buffer.alloc(300 * 1024, 'x')]);
  const { id } = await dispute.added({ bytes });
  const fileBox = createSecretBox(sealingKeys.parse(`${newer},${world.env.SEALING_KEYS}`));
  let reads = 0;
  const query: Queryable['query'] = async (text, values) => {
    const rows = await world.database.query<never>(text, values);
    reads += 1;
    if (reads === 2) await world.database.transaction((tx) => saveSealed(tx, id, fileBox.seal(bytes, id)));
    return rows;
  };

  const content = await openFile({ database: { ...world.database, query }, fileBox }, id);

  expect(content.equals(bytes)).toBe(true);
  expect(reads).toBe(3 + 3);
});

test('replicas with different key orders agree on the newer key', async () => {
  const dispute = await disputedFiles(world);
  const first = await dispute.added();
  const old = world.env.SEALING_KEYS;
  const newest = `newest:${Buffer.alloc(32, 7).toString('base64')}`;
  const tuning = { resealEveryMs: TICK_MS };
  const before = await world.startReplica(tuning, { SEALING_KEYS: `${old},${newest}` });
  const after = await world.startReplica(tuning, { SEALING_KEYS: `${newest},${old}` });
  await eventually(async () => expect(await keyOf(first.id)).toBe('newest'));
  const version = await versionOf(first.id);

  for (const at of [before, after, before, before]) {
    const { data } = await dispute.add({}, { at: at.client });
    const { id } = api.createFile.data.parse(data);
    await eventually(async () => expect(await keyOf(id)).toBe('newest'));
  }

  expect(await versionOf(first.id)).toBe(version);
  await Promise.all([before.stop(), after.stop()]);
});
