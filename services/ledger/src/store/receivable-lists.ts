import type {
  ReceivableDayView,
  ReceivableItemQuery,
  ReceivableQuery,
  ReceivableView,
} from '@plataforma/contracts';
import {
  type ComposedQuery,
  composeSql,
  type Page,
  type Queryable,
  readPage,
  runComposed,
  type Slice,
} from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';

/** What of a wallet is still to settle, in the days of the query's zone. */
function pendingOf(
  { merchantId, environment }: Tenant,
  { startDate, endDate, paymentMethod }: ReceivableQuery,
): ComposedQuery {
  const pending = composeSql('receivables')
    .where({ merchant_id: merchantId, environment })
    .where('remaining_cents', '>', 0);
  if (startDate) pending.where('settles_at', '>=', startDate);
  if (endDate) pending.where('settles_at', '<', endDate);
  if (paymentMethod) pending.where('payment_method', paymentMethod);
  return pending;
}

/** By day and method, the first day first. */
export function readReceivableDays(
  db: Queryable,
  tenant: Tenant,
  query: ReceivableQuery,
): Promise<ReceivableDayView[]> {
  const date = composeSql.raw('to_char(settles_at AT TIME ZONE ?, ?) AS date', [
    query.timeZone,
    'YYYY-MM-DD',
  ]);
  const days = pendingOf(tenant, query)
    .select(date, { paymentMethod: 'payment_method' })
    .count({ count: '*' })
    .sum({ amount: 'remaining_cents' })
    .groupByRaw('1, 2')
    .orderByRaw('1, 2');
  const whole = composeSql(days.as('days')).select(
    'date',
    'paymentMethod',
    'count',
    composeSql.raw('amount::bigint AS amount'),
  );
  return runComposed<ReceivableDayView & Record<string, unknown>>(db, whole);
}

type ItemRow = Omit<ReceivableView, 'settlesAt'> & { settlesAt: Date; [column: string]: unknown };

export function listReceivables(
  db: Queryable,
  tenant: Tenant,
  query: ReceivableItemQuery & Slice,
): Promise<Page<ReceivableView>> {
  const matching = pendingOf(tenant, query).select({
    chargeId: 'charge_id',
    paymentMethod: 'payment_method',
    amount: 'remaining_cents',
    originalAmount: 'amount_cents',
    settlesAt: 'settles_at',
  });
  const itemOf = ({ chargeId, paymentMethod, amount, originalAmount, settlesAt }: ItemRow) => ({
    ...{ chargeId, paymentMethod, amount, originalAmount },
    settlesAt: settlesAt.toISOString(),
  });
  return readPage(db, { matching, itemOf, newestBy: ['settles_at', 'charge_id'] }, query);
}
