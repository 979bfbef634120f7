import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { eventually, openMetricsScraper } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { startCheckoutWorld } from '../support/checkout-world.ts';

const scraper = beforeFile(openMetricsScraper);
const world = worldOfFile(() =>
  startCheckoutWorld({
    settings: { METRICS_PORT: String(scraper.port), CHECKOUT_RETENTION_DAYS: '7' },
    tuning: { forgetEveryMs: 20 },
  }),
);

async function visited() {
  const link = await world.newLink(world.shop());
  return world.buyer(link.slug, { payerName: `Visitante ${randomUUID()}` });
}

/** Moves the beginning of visits `days` days into the past. */
async function age(ids: string[], days: number): Promise<void> {
  await world.database.query(
    `UPDATE checkouts SET created_at = created_at - $2 * interval '1 day',
      ends_at = ends_at - $2 * interval '1 day'
     WHERE id = ANY ($1::uuid[])`,
    [ids, days],
  );
}

async function left(ids: string[]): Promise<string[]> {
  const rows = await world.database.query<{ id: string }>(
    'SELECT id FROM checkouts WHERE id = ANY ($1::uuid[])',
    [ids],
  );
  return rows.map(({ id }) => id).sort();
}

test('only old visits without a charge or a use are deleted', async () => {
  const [young, untouched, formOver] = [await visited(), await visited(), await visited()];
  const [formOpen, code, codeEnded] = [await visited(), await visited(), await visited()];
  const [declined, paid] = [await visited(), await visited()];
  await formOver.openForm();
  await world.closeForm(formOver.id);
  await formOpen.openForm();
  await code.byPix();
  await codeEnded.byPix();
  await codeEnded.endCode();
  await declined.byCard(world.newCard({ fate: 'failed', returnCode: '51' }));
  await world.closeForm(declined.id);
  await paid.byCard();

  await age(
    [untouched, formOver, formOpen, code, codeEnded, declined, paid].map(({ id }) => id),
    8,
  );
  await age([young.id], 6);

  await eventually(async () => expect(await left([untouched, formOver].map(({ id }) => id))).toEqual([]));
  const remaining = [young, formOpen, code, codeEnded, declined, paid].map(({ id }) => id);
  expect(await left(remaining)).toEqual([...remaining].sort());
  const answers = [await untouched.byPix(), await untouched.openForm(), await untouched.byCard()];
  expect(answers.map(({ status, error }) => [status, error?.code])).toEqual(
    Array(3).fill([404, 'NOT_FOUND']),
  );
});

test('metrics show the oldest visit’s age and the retention time', async () => {
  const buyer = await visited();
  await age([buyer.id], 5);

  const shown = await scraper.scrape();

  const days = (name: string) =>
    Math.round((shown.valueOf(`plataforma_checkouts_${name}_seconds`) ?? 0) / 86_400);
  expect([days('oldest_untouched'), days('kept')]).toEqual([6, 7]);
});

test('a visit used during its deletion stays or answers 404', async () => {
  const buyers = await Promise.all(Array.from({ length: 12 }, visited));
  const [answers] = await Promise.all([
    Promise.all(buyers.map((buyer, i) => (i % 2 ? buyer.byPix() : buyer.openForm()))),
    age(
      buyers.map(({ id }) => id),
      8,
    ),
  ]);

  await eventually(async () => {
    const going = await world.database.query(
      `SELECT FROM checkouts WHERE id = ANY ($1::uuid[]) AND use = 'NONE' AND charge_id IS NULL`,
      [buyers.map(({ id }) => id)],
    );
    expect(going).toEqual([]);
  });
  const stayed = await left(buyers.map(({ id }) => id));
  expect(answers.every(({ status }) => status === 200 || status === 404)).toBe(true);
  expect(stayed).toEqual(buyers.flatMap(({ id }, i) => (answers[i]?.status === 200 ? [id] : [])).sort());
});
