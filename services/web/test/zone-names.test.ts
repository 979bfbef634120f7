import { expect, test } from '@jest/globals';
import { timeZones } from '@plataforma/kernel';
import { zoneOptions } from '../pages/dashboard/settings/zone-names.ts';

const options = zoneOptions(Date.parse('2026-11-28T12:00:00Z'));

test.each([
  ['America/Sao_Paulo', 'Brasília, São Paulo (UTC−3)'],
  ['America/Manaus', 'Manaus (UTC−4)'],
  ['America/Noronha', 'Fernando de Noronha (UTC−2)'],
  ['America/Rio_Branco', 'Rio Branco (UTC−5)'],
  ['UTC', 'UTC'],
])('the list of zones labels %s as %s', (value, label) => {
  expect(options).toContainEqual({ value, label });
});

test('the list of zones has each zone of the API once', () => {
  expect(options.map(({ value }) => value).toSorted()).toEqual([...timeZones].toSorted());
});
