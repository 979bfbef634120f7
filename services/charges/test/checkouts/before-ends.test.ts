import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migrate } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import { type OpenTestDatabase, openTestDatabase } from '@plataforma/testing/world';
import { migrations } from '../../migrations/index.ts';

let home: OpenTestDatabase;

beforeAll(async () => {
  home = await openTestDatabase();
  await migrate(
    home.url,
    migrations.slice(
      0,
      migrations.findIndex(({ name }) => name === '078_checkout_ends'),
    ),
  );
});
afterAll(() => home.database.close());

const merchantId = newId();

async function linkOf(fields: { expiresIn?: string; paid?: number } = {}): Promise<string> {
  const id = newId();
  await home.database.query(
    `INSERT INTO payment_links (id, merchant_id, environment, slug, description, amount_cents, methods, uses,
      taken, paid,
       expires_at, pix_expires_in, created_at)
     VALUES ($1, $2, 'sandbox', right($5, 16), 'Pedido', 2500,
       ARRAY['PIX'], 1, $3, $3, now() + $4::interval, 3600, now())`,
    [id, merchantId, fields.paid ?? 0, fields.expiresIn ?? null, id.replaceAll('-', '')],
  );
  return id;
}

async function checkoutOf(
  linkId: string,
  { age, use = 'NONE' }: { age: string; use?: string },
): Promise<string> {
  const id = newId();
  await home.database.query(
    `INSERT INTO checkouts (id, link_id, environment, external_id, payer_name, payer_document, amount_cents,
      use, created_at)
     VALUES ($1, $2, 'sandbox', 'pedido', 'Ana', '12345678909', 2500, $3, now() - $4::interval)`,
    [id, linkId, use, age],
  );
  return id;
}

test('an upgrade makes only recent checkouts of open links due', async () => {
  await home.database.query('INSERT INTO sandbox_clocks VALUES ($1, $2)', [merchantId, 3 * 86_400_000]);
  const [open, dated] = [await linkOf(), await linkOf({ expiresIn: '5 days' })];
  const [over, usedUp] = [await linkOf({ expiresIn: '2 days' }), await linkOf({ paid: 1 })];
  const due = [
    await checkoutOf(open, { age: '23 hours' }),
    await checkoutOf(dated, { age: '1 hour' }),
    await checkoutOf(over, { age: '1 hour', use: 'HELD' }),
  ];
  await checkoutOf(open, { age: '25 hours' });
  await checkoutOf(over, { age: '1 hour' });
  await checkoutOf(usedUp, { age: '1 hour' });
  await checkoutOf(usedUp, { age: '1 hour', use: 'USED' });

  await migrate(home.url, migrations, home.env.DATABASE_URL);
  // A checkout as a replica of release 0.6.0 writes it.
  const new060 = await checkoutOf(open, { age: '0 hours' });

  const rows = await home.database.query<{ id: string }>(
    `SELECT id FROM checkouts WHERE abs(extract(epoch FROM ends_at - created_at - interval '24 hours')) < 1`,
  );
  expect(rows.map(({ id }) => id).sort()).toEqual([...due, new060].sort());
  const links = await home.database.query<{ id: string; days: number }>(
    `SELECT id, round(extract(epoch FROM next_check_at - now()) / 86400)::int AS days FROM payment_links
     WHERE next_check_at IS NOT NULL`,
  );
  expect(links).toEqual([{ id: dated, days: 2 }]);
});
