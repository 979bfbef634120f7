import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/api.ts';

export function destinationsQuery(page = 1) {
  return queryOptions({
    queryKey: ['destination', page],
    queryFn: () => call('GET /v1/destinations', { query: { page } }),
    placeholderData: keepPreviousData,
  });
}
