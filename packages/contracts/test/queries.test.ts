import { expect, test } from '@jest/globals';
import { api, endpoints, schemaOf } from '../src/index.ts';

test.each(endpoints.map((endpoint) => [endpoint.method, endpoint.path, endpoint] as const))(
  '%s %s refuses an unknown parameter',
  (_method, _path, endpoint) => {
    const result = schemaOf(endpoint, 'query').safeParse({ nobodyReadsThis: '1' });

    expect(result.error?.issues).toContainEqual(expect.objectContaining({ code: 'unrecognized_keys' }));
  },
);

test('list bounds may be equal and amounts zero', () => {
  const query = { startDate: '2024-02-29', endDate: '2024-02-29', minAmount: '0', maxAmount: '0' };

  expect(api.listTransactions.query.parse(query)).toEqual({
    startDate: new Date('2024-02-29T00:00:00Z'),
    endDate: new Date('2024-03-01T00:00:00Z'),
    timeZone: 'UTC',
    minAmount: 0,
    maxAmount: 0,
    page: 1,
    limit: 20,
  });
});
