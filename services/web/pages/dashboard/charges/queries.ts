import type { TimeZone } from '@plataforma/kernel';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { periodQuery } from '../../components/date-range/date-range.tsx';
import { call } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { POLL_MS } from '../../shared/live.ts';
import { methodWords } from '../../shared/statuses.ts';
import { listQuery } from '../lists/list-query.ts';
import type { chargesSearch } from '../searches.ts';

type Search = ReturnType<typeof chargesSearch>;

/** Returns the filters of a URL as query parameters of the API. */
export function chargeQuery({ status, method, search, link, from, to }: Search) {
  return { status, paymentMethod: method, search, paymentLinkId: link, ...periodQuery({ from, to }) };
}

export function chargesQuery(search: Search, timeZone: TimeZone) {
  const query = { ...chargeQuery(search), timeZone, page: search.page ?? 1 };
  const read = () => call('GET /v1/charges', { query: { ...query, sums: 'true' } });
  return listQuery({
    key: ['charge', 'list', query],
    read,
    poll: ({ status }) => status === 'PENDING',
  });
}

export const latestChargesQuery = queryOptions({
  queryKey: ['charge', 'list', 'latest'],
  queryFn: () => call('GET /v1/charges', { query: { limit: 5 } }),
  refetchInterval: POLL_MS,
});

/** Boletos exist only in accounts that were moved here from another system, so most accounts have none. */
const hasBoletoQuery = queryOptions({
  queryKey: ['charge', 'boleto'],
  queryFn: async () => {
    const { meta } = await call('GET /v1/charges', { query: { paymentMethod: 'BOLETO', limit: 1 } });
    return meta.total > 0;
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** Returns the payment methods that the filter of the list offers, with their names. */
export function useChargeMethods(chosen: Search['method']): Readonly<Record<string, string>> {
  const { BOLETO, ...others } = useWords(methodWords);
  const hasBoleto = useQuery(hasBoletoQuery).data ?? false;
  return hasBoleto || chosen === 'BOLETO' ? { ...others, BOLETO } : others;
}
