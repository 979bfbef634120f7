import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { daysInZone, period } from '../src/period.ts';

const schema = z.strictObject(period).check(daysInZone);

function rangeOf(query: Record<string, string>) {
  const { startDate, endDate, timeZone } = schema.parse(query);
  return [startDate?.toISOString(), endDate?.toISOString(), timeZone];
}

test.each([
  [{}, [undefined, undefined, undefined]],
  [{ timeZone: 'America/Manaus' }, [undefined, undefined, 'America/Manaus']],
  [{ startDate: '2026-12-31' }, ['2026-12-31T00:00:00.000Z', undefined, 'UTC']],
  [{ endDate: '2026-12-31' }, [undefined, '2027-01-01T00:00:00.000Z', 'UTC']],
  [{ endDate: '2026-12-31T00:00:00-03:00' }, [undefined, '2026-12-31T03:00:00.001Z', 'UTC']],
  [
    { startDate: '2026-11-22', endDate: '2026-11-22', timeZone: 'America/Sao_Paulo' },
    ['2026-11-22T03:00:00.000Z', '2026-11-23T03:00:00.000Z', 'America/Sao_Paulo'],
  ],
  [
    { startDate: '2026-11-22T03:00:00Z', endDate: '2026-11-22', timeZone: 'America/Noronha' },
    ['2026-11-22T03:00:00.000Z', '2026-11-23T02:00:00.000Z', 'America/Noronha'],
  ],
  [
    { startDate: '2026-11-22T12:00:00Z', endDate: '2026-11-22T12:00:00Z' },
    ['2026-11-22T12:00:00.000Z', '2026-11-22T12:00:00.001Z', 'UTC'],
  ],
  [
    { startDate: '0001-01-01', endDate: '9999-12-31', timeZone: 'America/Sao_Paulo' },
    ['1970-01-01T00:00:00.000Z', '9999-12-30T00:00:00.000Z', 'America/Sao_Paulo'],
  ],
  [
    { startDate: '0000-01-01T00:00:00+23:59', endDate: '9999-12-31T23:59:59-23:59' },
    ['1970-01-01T00:00:00.000Z', '9999-12-30T00:00:00.000Z', 'UTC'],
  ],
])('the query %j is the range %j', (query, range) => {
  expect(rangeOf(query)).toEqual(range);
});

test.each([
  [{ startDate: '2026-11-23', endDate: '2026-11-22' }, 'startDate', 'must not be after endDate'],
  [
    { startDate: '2026-11-22T12:00:00.001Z', endDate: '2026-11-22T12:00:00Z' },
    'startDate',
    'must not be after endDate',
  ],
  // The start is the first moment after 2026-11-22 in Manaus (UTC−4).
  [
    { startDate: '2026-11-23T04:00:00Z', endDate: '2026-11-22', timeZone: 'America/Manaus' },
    'startDate',
    'must not be after endDate',
  ],
  [{ startDate: '2026-11-22T10:00:00' }, 'startDate', expect.stringContaining('seconds and Z or an offset')],
  [{ endDate: '2026-11-22T10:00:00 03:00' }, 'endDate', expect.stringContaining('a + is %2B in a URL')],
  [{ timeZone: 'Europe/Lisbon' }, 'timeZone', expect.any(String)],
  [{ timeZone: '-03:00' }, 'timeZone', expect.any(String)],
])('the query %j is refused', (query, field, message) => {
  expect(schema.safeParse(query).error?.issues).toMatchObject([{ path: [field], message }]);
});
