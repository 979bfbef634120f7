import { queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/api.ts';

export const weatherQuery = queryOptions({
  queryKey: ['sandbox', 'provider'],
  queryFn: () => call('GET /v1/sandbox/provider'),
});
