import { call } from '../../shared/api.ts';
import { listQuery } from '../lists/list-query.ts';

export function destinationsQuery(page = 1) {
  return listQuery({
    key: ['destination', page],
    read: () => call('GET /v1/destinations', { query: { page } }),
  });
}
