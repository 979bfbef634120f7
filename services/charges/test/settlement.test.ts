import { expect, test } from '@jest/globals';
import { settlementOf } from '../src/domain/card.ts';

const settles = (
  paidAt: string,
  settlementDays: number,
  settlementCalendar: 'calendar' | 'banking' = 'calendar',
) => settlementOf(new Date(paidAt), { settlementDays, settlementCalendar }).toISOString();

test('D+0 is available at once in calendar and banking days', () => {
  const paidAt = '2026-11-22T01:30:00.123Z';

  expect([settles(paidAt, 0), settles(paidAt, 0, 'banking')]).toEqual([paidAt, paidAt]);
});

test.each([
  ['of the morning', '2026-11-20T12:00:00Z', 1, '2026-11-21T03:00:00.000Z'],
  [
    'of 22:00 in São Paulo, which is the next day in UTC',
    '2026-11-21T01:00:00Z',
    1,
    '2026-11-21T03:00:00.000Z',
  ],
  ['of the last instant of a day', '2026-11-21T02:59:59.999Z', 30, '2026-12-20T03:00:00.000Z'],
  ['of the first instant of a day', '2026-11-21T03:00:00Z', 30, '2026-12-21T03:00:00.000Z'],
])('a payment %s settles at midnight in São Paulo', (_when, paidAt, days, at) => {
  expect(settles(paidAt, days)).toBe(at);
});

test.each([
  ['on a Friday', '2026-11-27T20:00:00Z', 1, '2026-11-30T03:00:00.000Z'],
  ['on a Saturday', '2026-11-28T20:00:00Z', 1, '2026-11-30T03:00:00.000Z'],
  ['before Carnival', '2026-02-13T20:00:00Z', 2, '2026-02-19T03:00:00.000Z'],
])('in banking days a payment %s settles on a banking day', (_when, paidAt, days, at) => {
  expect(settles(paidAt, days, 'banking')).toBe(at);
});
