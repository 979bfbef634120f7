import type {
  ChargeInListView,
  DisputeInListView,
  PaymentLinkInListView,
  RefundView,
  WithdrawalView,
} from '@plataforma/contracts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/api.ts';

/** The number of rows that each kind shows. The list of the kind shows the others. */
const SHOWN = 5;

/** The rows of one kind, and whether the API has more rows of this kind. */
export type Group = { hasMore: boolean } & (
  | { kind: 'charges'; rows: readonly ChargeInListView[] }
  | { kind: 'payment-links'; rows: readonly PaymentLinkInListView[] }
  | { kind: 'refunds'; rows: readonly RefundView[] }
  | { kind: 'disputes'; rows: readonly DisputeInListView[] }
  | { kind: 'withdrawals'; rows: readonly WithdrawalView[] }
);

/** Queries the five lists at once. The result omits the rows of a list that does not answer. */
export function findQuery(text: string) {
  return queryOptions({
    queryKey: ['search', text],
    queryFn: ({ signal }) => find(text, signal),
    enabled: text.length > 1,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    retry: false,
  });
}

async function find(search: string, signal: AbortSignal) {
  const input = { query: { search, limit: SHOWN }, signal };
  const answers = await Promise.allSettled([
    call('GET /v1/charges', input).then((list) => groupOf('charges', list)),
    call('GET /v1/payment-links', input).then((list) => groupOf('payment-links', list)),
    call('GET /v1/refunds', input).then((list) => groupOf('refunds', list)),
    call('GET /v1/disputes', input).then((list) => groupOf('disputes', list)),
    call('GET /v1/withdrawals', input).then((list) => groupOf('withdrawals', list)),
  ]);
  signal.throwIfAborted();
  const groups: Group[] = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  return {
    text: search,
    groups: groups.filter(({ rows }) => rows.length > 0),
    isComplete: groups.length === answers.length,
  };
}

function groupOf<const Kind extends Group['kind'], Row>(
  kind: Kind,
  { data, meta }: { data: readonly Row[]; meta: { total: number } },
) {
  return { kind, rows: data, hasMore: meta.total > data.length };
}
