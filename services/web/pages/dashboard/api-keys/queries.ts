import { call } from '../../shared/api.ts';
import { listQuery } from '../lists/list-query.ts';

/** Of both environments: the API lists them together. */
export function apiKeysQuery(page = 1) {
  const read = () => call('GET /v1/api-keys', { query: { page, limit: 50 } });
  return listQuery({ key: ['api-key', page], read });
}
