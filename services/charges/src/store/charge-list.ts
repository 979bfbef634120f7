import type { Queryable } from '@plataforma/chassis';
import type { ChargeQuery } from '@plataforma/contracts';
import type { Tenant } from '@plataforma/kernel';
import knex from 'knex';
import type { Charge } from '../domain/charge.ts';
import { type ChargeRow, chargeOf } from './charges.ts';

/** Only composes text; every statement runs on the service's own pool. */
const sql = knex({ client: 'pg' });

/** One page of a merchant's charges, newest first, and how many there are in all. */
export async function listCharges(
  db: Queryable,
  tenant: Tenant,
  query: ChargeQuery,
): Promise<{ charges: Charge[]; total: number }> {
  const matching = sql('charges').where({ merchant_id: tenant.merchantId, environment: tenant.environment });
  if (query.status) matching.where('status', query.status);
  if (query.paymentMethod) matching.where('payment_method', query.paymentMethod);
  if (query.startDate) matching.where('created_at', '>=', query.startDate);
  if (query.endDate) matching.where('created_at', '<', query.endDate);

  const page = matching
    .clone()
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(query.limit)
    .offset((query.page - 1) * query.limit);
  const [rows, [counted]] = await Promise.all([
    run<ChargeRow>(db, page.select('*')),
    run<{ total: number }>(db, matching.clone().count({ total: '*' })),
  ]);
  return { charges: rows.map(chargeOf), total: counted?.total ?? 0 };
}

function run<R extends Record<string, unknown>>(db: Queryable, query: knex.Knex.QueryBuilder): Promise<R[]> {
  const { sql: text, bindings } = query.toSQL().toNative();
  return db.queryUnprepared<R>(text, bindings);
}
