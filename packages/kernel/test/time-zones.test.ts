import { expect, test } from '@jest/globals';
import { addDays, bankDayOf, dayOf, inZone, startOfDay, timeZones } from '../src/index.ts';

test.each([
  ['2026-11-22', 'UTC', '2026-11-22T00:00:00.000Z'],
  ['2026-11-22', 'America/Noronha', '2026-11-22T02:00:00.000Z'],
  ['2026-11-22', 'America/Sao_Paulo', '2026-11-22T03:00:00.000Z'],
  ['2026-11-22', 'America/Manaus', '2026-11-22T04:00:00.000Z'],
  ['2026-11-22', 'America/Rio_Branco', '2026-11-22T05:00:00.000Z'],
  // Brazil's last summer time ended on 2019-02-17.
  ['2019-01-10', 'America/Sao_Paulo', '2019-01-10T02:00:00.000Z'],
  ['2019-02-17', 'America/Sao_Paulo', '2019-02-17T03:00:00.000Z'],
  // These days begin at 01:00, because summer time skips midnight.
  ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
  ['2017-10-15', 'America/Sao_Paulo', '2017-10-15T03:00:00.000Z'],
  ['2018-11-04', 'America/Cuiaba', '2018-11-04T04:00:00.000Z'],
  ['2011-10-16', 'America/Bahia', '2011-10-16T03:00:00.000Z'],
] as const)('%s of %s begins at %s', (day, timeZone, start) => {
  const instant = startOfDay(day, timeZone);

  expect(instant.toISOString()).toBe(start);
  expect(dayOf(instant, timeZone)).toBe(day);
  expect(dayOf(new Date(instant.getTime() - 1), timeZone)).toBe(addDays(day, -1));
});

test('an instant is shown with its zone’s offset', () => {
  const instant = new Date('2026-12-01T01:30:00.250Z');

  expect(inZone(instant, 'America/Sao_Paulo')).toBe('2026-11-30T22:30:00.250-03:00');
  expect(inZone(instant, 'UTC')).toBe('2026-12-01T01:30:00.250+00:00');
  expect(new Date(inZone(instant, 'America/Noronha'))).toEqual(instant);
});

test('each zone is whole hours from UTC on every day since 2020', () => {
  for (const timeZone of timeZones) {
    for (let day = '2020-01-01'; day < '2031-01-01'; day = addDays(day, 13)) {
      const start = startOfDay(day, timeZone);

      expect([timeZone, day, start.getTime() % 3_600_000]).toEqual([timeZone, day, 0]);
      expect(dayOf(start, timeZone)).toBe(day);
    }
  }
});

test.each(['America/Sao_Paulo', 'America/Cuiaba'] as const)(
  'summer time in %s leaves no gap between days',
  (timeZone) => {
    for (let day = '2008-01-01'; day < '2020-01-01'; day = addDays(day, 1)) {
      const start = startOfDay(day, timeZone);
      const before = dayOf(new Date(start.getTime() - 1), timeZone);
      expect([before, dayOf(start, timeZone)]).toEqual([addDays(day, -1), day]);
    }
  },
);

test('a bank day is a day of São Paulo', () => {
  expect(bankDayOf(new Date('2026-11-24T02:59:59.999Z'))).toEqual({
    day: '2026-11-23',
    from: new Date('2026-11-23T03:00:00Z'),
    until: new Date('2026-11-24T03:00:00Z'),
  });
  expect(bankDayOf(new Date('2019-02-16T12:00:00Z'))).toEqual({
    day: '2019-02-16',
    from: new Date('2019-02-16T02:00:00Z'),
    until: new Date('2019-02-17T03:00:00Z'),
  });
  expect(bankDayOf(new Date('2018-11-04T12:00:00Z'))).toEqual({
    day: '2018-11-04',
    from: new Date('2018-11-04T03:00:00Z'),
    until: new Date('2018-11-05T02:00:00Z'),
  });
});
