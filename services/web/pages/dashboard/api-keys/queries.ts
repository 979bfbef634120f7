import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/api.ts';

/** Of both environments: the API lists them together. */
export function apiKeysQuery(page = 1) {
  return queryOptions({
    queryKey: ['api-key', page],
    queryFn: () => call('GET /v1/api-keys', { query: { page, limit: 50 } }),
    placeholderData: keepPreviousData,
  });
}
