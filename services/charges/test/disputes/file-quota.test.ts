import { expect, test } from '@jest/globals';
import { eventually, openMetricsScraper, PDF } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { roomFor } from '../../src/disputes/domain/file-quota.ts';
import { disputedFiles } from '../support/files.ts';
import { newTenant } from '../support/identity.ts';
import { startRefundWorld } from '../support/refund-world.ts';

const scraper = beforeFile(openMetricsScraper);
const world = worldOfFile(() =>
  startRefundWorld({ settings: { METRICS_PORT: String(scraper.port), FILE_QUOTA_MB: '1' } }),
);
const second = beforeFile(() => world.startReplica({}, { FILE_QUOTA_MB: '1', METRICS_PORT: '0' }));

/** The quota has room for ten files of this size. */
const SIZE = 100_000;
const file = (name: string) => ({ name, bytes: Buffer.concat([PDF, Buffer.alloc(SIZE - PDF.length, 'x')]) });

async function disputes(count: number) {
  const tenant = newTenant('production');
  const all = [];
  for (let i = 0; i < count; i += 1) all.push(await disputedFiles(world, {}, tenant));
  return all;
}

type Disputed = Awaited<ReturnType<typeof disputedFiles>>;

/**
 * Uploads a file, and repeats the upload after a 503, as clients must when too many requests run at the same
 * time.
 */
function persist(dispute: Disputed, name: string, at = world.client) {
  return eventually(async () => {
    const answer = await dispute.add(file(name), { at });
    expect(answer.status).not.toBe(503);
    return answer;
  });
}

test('twenty concurrent files fill an account’s room with exactly ten', async () => {
  const four = await disputes(4);

  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => {
      const dispute = four[index % 4] as Disputed;
      return persist(dispute, `${index}.pdf`, index % 2 ? second.client : world.client);
    }),
  );

  const stored = (await Promise.all(four.map((one) => one.listed()))).flat();
  expect(stored).toHaveLength(10);
  expect(stored.reduce((sum, { size }) => sum + size, 0)).toBe(1_000_000);
  const refused = answers.filter(({ status }) => status !== 201);
  expect(refused.map(({ status, error }) => [status, error])).toEqual(
    Array(10).fill([
      422,
      {
        code: 'FILE_LIMIT_REACHED',
        message:
          'your account keeps at most 1 MB of files: delete files of open disputes first, or ask the platform for more room',
      },
    ]),
  );
}, 60_000);

test('above four fifths each file is counted; a deletion frees room', async () => {
  const [one, other] = await disputes(2);
  const [elsewhere] = await disputes(1);
  if (!one || !other || !elsewhere) throw new Error('no dispute');
  const counts = async () => {
    const scraped = await scraper.scrape();
    const count = (outcome: string) =>
      scraped.valueOf('plataforma_files_at_quota_total', { environment: 'production', outcome });
    return [count('kept') ?? 0, count('refused') ?? 0] as const;
  };
  for (let i = 0; i < 5; i += 1) await one.added(file(`${i}.pdf`));
  for (let i = 0; i < 3; i += 1) await other.added(file(`${i}.pdf`));
  const [keptBefore, refusedBefore] = await counts();

  for (const name of ['ninth.pdf', 'tenth.pdf']) await other.added(file(name));
  await one.remove((await one.listed())[0]?.id ?? '');
  await one.added(file('again.pdf'));
  await other.remove((await other.listed())[0]?.id ?? '');
  const larger = await other.add({ name: 'b.pdf', bytes: Buffer.concat([file('').bytes, PDF]) });
  await elsewhere.added(file('a.pdf'));

  const [stored, refused] = await counts();
  expect([stored - keptBefore, refused - refusedBefore]).toEqual([3, 1]);
  expect([larger.status, larger.error?.code]).toEqual([422, 'FILE_LIMIT_REACHED']);
});

test.each([
  ['ample', 70, 10],
  ['low', 71, 10],
  ['low', 90, 10],
  ['none', 91, 10],
])('the room for a file is %s', (room, used, size) => {
  expect(roomFor({ quota: 100, used, size })).toBe(room);
});
