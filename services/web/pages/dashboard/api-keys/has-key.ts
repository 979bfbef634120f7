import { queryOptions, useQuery } from '@tanstack/react-query';
import { call, environment } from '../../shared/api.ts';

/**
 * The API lists the keys of both environments together, so the query selects the keys of this environment.
 */
export const hasKeyQuery = queryOptions({
  queryKey: ['api-key', 'list', 'any', environment],
  queryFn: async () => {
    const { data } = await call('GET /v1/api-keys', { query: { limit: 100 } });
    return data.some((key) => key.environment === environment && key.revokedAt === null);
  },
  staleTime: 60_000,
});

/** Returns whether the account uses the API. Pages show their content for programs only then. */
export function useHasKey(): boolean {
  return useQuery(hasKeyQuery).data ?? false;
}
