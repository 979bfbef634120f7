import { call } from '../../shared/api.ts';
import { listQuery } from '../lists/list-query.ts';

/** The query's key contains no environment, because the API lists the keys of both environments together. */
export function apiKeysQuery(page = 1) {
  const read = () => call('GET /v1/api-keys', { query: { page, limit: 50 } });
  return listQuery({ key: ['api-key', page], read });
}
