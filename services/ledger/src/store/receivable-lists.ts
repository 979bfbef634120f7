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
import { type ChargeNames, findChargeNames } from './row-names.ts';

/**
 * SQL for the settled amount and the settlement time of a receivable. Sums all its settlements, because older
 * releases could post more than one.
 */
const SETTLEMENT = `
  CROSS JOIN LATERAL (
    SELECT sum(l.amount_cents)::bigint AS settled_cents, max(e.created_at) AS settled_at
    FROM journal_entries e JOIN journal_lines l ON l.entry_id = e.id AND l.account LIKE 'available:%'
    WHERE e.kind = 'receivable_due' AND e.charge_id = receivables.charge_id) AS settlement`;

function receivablesOf(
  { merchantId, environment }: Tenant,
  { startDate, endDate, paymentMethod, status }: ReceivableItemQuery | ReceivableQuery,
): ComposedQuery {
  const isPending = status === 'PENDING';
  const matching = composeSql('receivables')
    .where({ merchant_id: merchantId, environment })
    .where('remaining_cents', isPending ? '>' : '=', 0);
  if (startDate) matching.where('settles_at', '>=', startDate);
  if (endDate) matching.where('settles_at', '<', endDate);
  if (paymentMethod) matching.where('payment_method', paymentMethod);
  if (isPending) return matching;
  matching.joinRaw(SETTLEMENT);
  return status === 'TAKEN' ? matching.whereNull('settled_cents') : matching.whereNotNull('settled_cents');
}

/** The column that contains the amount in cents of a receivable with this status. */
const amountOf = { PENDING: 'remaining_cents', SETTLED: 'settled_cents', TAKEN: 'remaining_cents' } as const;

export function readReceivableDays(
  db: Queryable,
  tenant: Tenant,
  query: ReceivableQuery,
): Promise<ReceivableDayView[]> {
  const date = composeSql.raw('to_char(settles_at AT TIME ZONE ?, ?) AS date', [
    query.timeZone,
    'YYYY-MM-DD',
  ]);
  const days = receivablesOf(tenant, query)
    .select(date, { paymentMethod: 'payment_method' })
    .count({ count: '*' })
    .sum({ amount: amountOf[query.status] })
    .groupByRaw('1, 2')
    .orderByRaw('1, 2');
  const whole = composeSql(days.as('days')).select(
    'date',
    'paymentMethod',
    'count',
    composeSql.raw('amount::bigint AS amount'),
  );
  return runComposed<ReceivableDayView>(db, whole);
}

const nameless: ChargeNames = { externalId: null, nsu: null, authorizationCode: null };

type Item = Omit<ReceivableView, keyof ChargeNames>;
type ItemRow = Omit<Item, 'settlesAt' | 'settledAt' | 'status'> & {
  settlesAt: Date;
  settledAt?: Date;
};

export async function listReceivables(
  db: Queryable,
  tenant: Tenant,
  query: ReceivableItemQuery & Slice,
): Promise<Page<ReceivableView>> {
  const { status } = query;
  const matching = receivablesOf(tenant, query).select({
    chargeId: 'charge_id',
    paymentMethod: 'payment_method',
    amount: amountOf[status],
    originalAmount: 'amount_cents',
    settlesAt: 'settles_at',
    ...(status === 'SETTLED' ? { settledAt: 'settled_at' } : {}),
  });
  const itemOf = ({ chargeId, paymentMethod, amount, originalAmount, settlesAt, settledAt }: ItemRow) => ({
    ...{ chargeId, paymentMethod, amount, originalAmount, status },
    settlesAt: settlesAt.toISOString(),
    settledAt: settledAt?.toISOString() ?? null,
  });
  const list = { matching, itemOf, newestBy: ['settles_at', 'charge_id'] } as const;
  const page = await readPage<ItemRow, Item>(db, list, query);
  const names = await findChargeNames(
    db,
    page.items.map(({ chargeId }) => chargeId),
  );
  return {
    ...page,
    items: page.items.map((item) => ({ ...item, ...(names.get(item.chargeId) ?? nameless) })),
  };
}
