import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { JPEG, PDF, RACES_MS, rounds } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { codeOf } from '../support/client.ts';
import { disputedFiles } from '../support/files.ts';
import { newTenant } from '../support/identity.ts';
import { startRefundWorld } from '../support/refund-world.ts';

const world = worldOfFile(startRefundWorld);
const second = beforeFile(() => world.startReplica());

const ROUNDS = rounds(20);

test(
  `five of eight concurrent files are accepted, ${ROUNDS} times`,
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const dispute = await disputedFiles(world);
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          dispute.add({ name: `${index}.pdf` }, { at: index % 2 ? world.client : second.client }),
        ),
      );

      expect(answers.map(({ status }) => status).toSorted()).toEqual([
        201, 201, 201, 201, 201, 422, 422, 422,
      ]);
      expect(await dispute.listed()).toHaveLength(5);
    }
  },
  RACES_MS,
);

test(
  `evidence and a decision at once end without a deadlock, ${ROUNDS} times`,
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const dispute = await disputedFiles(world);
      const [decided, ...sent] = await Promise.all([
        world.operate(`/disputes/${dispute.id}/resolve`, { outcome: 'MERCHANT', resolution: 'Entregue' }),
        ...Array.from({ length: 6 }, (_, index) => dispute.send(index % 2 ? world.client : second.client)),
      ]);

      expect(decided.status).toBe(200);
      for (const { status } of sent) expect([200, 409]).toContain(status);
    }
  },
  RACES_MS,
);

/** Fills nearly the whole quota of a sandbox. The files are small, but their rows state a large size. */
const FILL = `
  INSERT INTO dispute_files (id, dispute_id, name, type, size_bytes, created_at, sealing_key_id, sealed)
  SELECT gen_random_uuid(), $1, 'x.pdf', 'application/pdf', 2000000, now(), 'test', 'x'
  FROM generate_series(1, 49)`;

async function filledDisputes(environment: 'sandbox' | 'production') {
  const tenant = newTenant(environment);
  const disputed = () => disputedFiles(world, {}, tenant);
  const [full, one, other] = [await disputed(), await disputed(), await disputed()];
  await world.database.query(FILL, [full.id]);
  return [one, other] as const;
}

const large = { bytes: Buffer.concat([PDF, Buffer.alloc(1_200_000 - PDF.length, 'x')]) };

test('concurrent files of two sandbox disputes stay within 100 MB', async () => {
  const [one, other] = await filledDisputes('sandbox');

  const answers = await Promise.all([one.add(large), other.add(large, { at: second.client })]);
  const [stored] = [...(await one.listed()), ...(await other.listed())];
  const refused = answers.find(({ status }) => status !== 201);
  const small = await one.add({ name: 'small.pdf' });
  await (stored?.disputeId === one.id ? one : other).remove(stored?.id ?? '');
  const after = await other.add(large);

  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422]);
  expect([refused?.error?.code, refused?.error?.message]).toEqual([
    'FILE_LIMIT_REACHED',
    'your sandbox keeps at most 100 MB of files: delete files of open disputes first',
  ]);
  expect([small.status, after.status]).toEqual([201, 201]);
});

test(
  `a file added during sending is included or refused, ${ROUNDS} times`,
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const dispute = await disputedFiles(world);
      const first = await dispute.added({ name: 'first.pdf' });
      const [added, removed, sent] = await Promise.all([
        dispute.add({ name: 'second.pdf' }, { at: second.client }),
        dispute.remove(first.id),
        dispute.send(second.client),
      ]);

      const names = (await dispute.listed()).map(({ name }) => name);
      const expected = [
        ...(removed.status === 200 ? [] : ['first.pdf']),
        ...(added.status === 201 ? ['second.pdf'] : []),
      ];
      expect(names).toEqual(expected);
      expect(sent.data).toMatchObject({ status: 'UNDER_REVIEW', files: names.map((name) => ({ name })) });
      for (const { status, error } of [added, removed].filter((one) => one.status > 201)) {
        expect([status, error?.code]).toEqual([409, 'INVALID_STATE']);
      }
    }
  },
  RACES_MS,
);

describe('a form with an Idempotency-Key', () => {
  test('adds its file once and repeats its answer', async () => {
    const dispute = await disputedFiles(world);
    const key = randomUUID();

    const answers = await Promise.all([
      dispute.add({}, { key }),
      dispute.add({}, { key, at: second.client }),
    ]);
    const again = await dispute.add({ type: 'text/plain' }, { key });

    const [file] = await dispute.listed();
    expect(await dispute.listed()).toHaveLength(1);
    for (const { status, data } of [...answers, again]) expect([status, data]).toEqual([201, file]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  test('repeats its answer even after the file’s deletion', async () => {
    const dispute = await disputedFiles(world);
    const key = randomUUID();
    const { data } = await dispute.add({}, { key });
    const [file] = await dispute.listed();
    await dispute.remove(file?.id ?? '');

    expect(await dispute.add({}, { key })).toMatchObject({ status: 201, data });
    expect(await dispute.listed()).toEqual([]);
  });

  test('is a conflict with other bytes or another name', async () => {
    const dispute = await disputedFiles(world);
    const key = randomUUID();
    await dispute.add({}, { key });

    for (const changes of [{ bytes: JPEG }, { name: 'outra.pdf' }]) {
      expect(await codeOf(dispute.add(changes, { key }))).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
    }
    expect(await dispute.listed()).toHaveLength(1);
  });
});
