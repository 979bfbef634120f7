import { expect, test } from '@jest/globals';
import { salesByDay } from '../pages/dashboard/home/sales-by-day.ts';
import { dateTime, daysAgo, endOfDay, exactTime, offsetText } from '../pages/shared/format.ts';

const AT = '2027-01-01T01:30:05Z';
const NOW = Date.parse(AT);

test.each([
  ['UTC', '2027-01-01', '2026-12-26', '1 de jan., 01:30', '2027-01-01T23:59:59.000Z'],
  ['America/Manaus', '2026-12-31', '2026-12-25', '31 de dez., 21:30', '2027-01-02T03:59:59.000Z'],
] as const)('%s has its own days and hours', (zone, today, sixDaysAgo, time, lastSecond) => {
  expect([daysAgo(0, NOW, zone), daysAgo(6, NOW, zone)]).toEqual([today, sixDaysAgo]);
  expect(dateTime(AT, { language: 'pt-BR', timeZone: zone }, NOW)).toBe(time);
  expect(exactTime(AT, { language: 'pt-BR', timeZone: zone })).toBe(`${time}:05`);
  expect(endOfDay('2027-01-01', zone)).toBe(lastSecond);
  expect(offsetText(NOW, zone)).toBe(zone === 'UTC' ? 'UTC' : 'UTC−4');
});

test('sales of all methods add up by the day of the zone', () => {
  const day = { startsAt: '2026-11-28T04:00:00Z', count: 2 };
  const volumes = [
    { ...day, grossAmount: 500 },
    { ...day, grossAmount: 300 },
    { startsAt: '2026-11-30T04:00:00Z', grossAmount: 9, count: 1 },
  ];

  expect(salesByDay(volumes, { startDate: '2026-11-27', days: 3, timeZone: 'America/Manaus' })).toEqual([
    { day: '2026-11-27', gross: 0, paid: 0 },
    { day: '2026-11-28', gross: 800, paid: 4 },
    { day: '2026-11-29', gross: 0, paid: 0 },
  ]);
});
