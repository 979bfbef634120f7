import { expect, test } from '@jest/globals';
import { addBankDays, addDays, isBankDay } from '../src/index.ts';

/** The weekdays of each year that the Brazilian federation of banks publishes as holidays. */
const closed: Record<string, string> = {
  2024: '01-01 02-12 02-13 03-29 05-01 05-30 11-15 11-20 12-25',
  2025: '01-01 03-03 03-04 04-18 04-21 05-01 06-19 11-20 12-25',
  2026: '01-01 02-16 02-17 04-03 04-21 05-01 06-04 09-07 10-12 11-02 11-20 12-25',
  2027: '01-01 02-08 02-09 03-26 04-21 05-27 09-07 10-12 11-02 11-15',
  2028: '02-28 02-29 04-14 04-21 05-01 06-15 09-07 10-12 11-02 11-15 11-20 12-25',
};

test.each(Object.entries(closed))(
  'in %s banks are closed exactly on the published holidays',
  (year, days) => {
    const found: string[] = [];
    for (let day = `${year}-01-01`; day.startsWith(year); day = addDays(day, 1)) {
      const weekday = new Date(`${day}T12:00:00Z`).getUTCDay();
      if (weekday % 6 !== 0 && !isBankDay(day)) found.push(day.slice(5));
    }

    expect(found.join(' ')).toBe(days);
  },
);

test('20 November is a bank holiday since 2024', () => {
  expect([isBankDay('2023-11-20'), isBankDay('2024-11-20')]).toEqual([true, false]);
});

test.each([
  ['a Friday', '2026-11-27', 1, '2026-11-30'],
  ['a Saturday', '2026-11-28', 1, '2026-11-30'],
  ['before Carnival', '2026-02-13', 1, '2026-02-18'],
  ['before Christmas', '2026-12-24', 2, '2026-12-29'],
  ['across a new year', '2026-12-30', 2, '2027-01-04'],
  ['thirty days', '2026-11-23', 30, '2027-01-06'],
])('bank days are added: %s', (_what, day, count, then) => {
  expect(addBankDays(day, count)).toBe(then);
});
