import { expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { openApiDocument } from '../src/document.ts';

test('the statement stands in the document as pages of JSON and as files, with an example of each', () => {
  const [csv, ofx] = api.getStatement.alsoAs;
  const document: unknown = JSON.parse(JSON.stringify(openApiDocument({ getStatement: api.getStatement })));

  expect(document).toHaveProperty(['paths', '/v1/statement', 'get', 'responses', '200', 'content'], {
    'application/json': {
      schema: expect.objectContaining({ required: ['success', 'data', 'meta'] }),
      example: expect.objectContaining({ success: true }),
    },
    'text/csv': {
      schema: { type: 'string', description: csv.description },
      example: csv.example,
    },
    'application/x-ofx': { schema: { type: 'string', description: ofx.description }, example: ofx.example },
  });
});

test.each([
  [{ startDate: '2026-02-29' }, 'startDate'],
  [{ endDate: '2026-02-30' }, 'endDate'],
  [{ startDate: '0000-12-31' }, 'startDate'],
  [{ startDate: '2026-11-22', endDate: '2026-11-21' }, 'startDate'],
  [{ minAmount: '0x10' }, 'minAmount'],
  [{ minAmount: ' 5' }, 'minAmount'],
  [{ maxAmount: '' }, 'maxAmount'],
  [{ minAmount: '11', maxAmount: '10' }, 'minAmount'],
  [{ search: '   ' }, 'search'],
])('%j narrows no list: what is wrong is %s', (query, field) => {
  const { error } = api.listTransactions.query.safeParse(query);

  expect(error?.issues.map(({ path }) => path)).toEqual([[field]]);
});

test('bounds may be equal, and amounts zero', () => {
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
