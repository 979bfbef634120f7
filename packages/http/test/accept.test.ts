import { expect, test } from '@jest/globals';
import { preferredType } from '../src/accept.ts';

const [JSON_TYPE, CSV] = ['application/json', 'text/csv'];
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

test.each([
  [undefined, JSON_TYPE, JSON_TYPE],
  ['', JSON_TYPE, JSON_TYPE],
  ['*/*', JSON_TYPE, JSON_TYPE],
  ['application/*', JSON_TYPE, JSON_TYPE],
  ['APPLICATION/JSON', JSON_TYPE, JSON_TYPE],
  ['application/json; charset=utf-8', JSON_TYPE, JSON_TYPE],
  ['application/json;profile="a,b;c"', JSON_TYPE, JSON_TYPE],
  ['application/problem+json, application/json;q=0.1', JSON_TYPE, JSON_TYPE],
  [BROWSER, JSON_TYPE, JSON_TYPE],
  ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', JSON_TYPE, JSON_TYPE],
  ['text/csv', CSV, null],
  ['text/*', CSV, null],
  ['text/csv, */*;q=0.1', CSV, JSON_TYPE],
  ['application/json;q=0.5, text/csv', CSV, JSON_TYPE],
  ['text/csv, application/json', CSV, JSON_TYPE],
  ['application/json, text/csv', JSON_TYPE, JSON_TYPE],
  ['*/*, application/json;q=0', CSV, null],
  ['application/json;q=0', null, null],
  ['*/*;q=0', null, null],
  ['application/xml', null, null],
  ['application/vnd.api+json', null, null],
  ['json', null, null],
])('Accept %j prefers %j with a file, %j without', (accept, withFile, alone) => {
  expect([preferredType(accept, [JSON_TYPE, CSV]), preferredType(accept, [JSON_TYPE])]).toEqual([
    withFile,
    alone,
  ]);
});

test('a long header of any shape takes linear time', () => {
  for (const piece of [',', ',"', ',""', '"', '"",;', 'a,"']) {
    const before = process.cpuUsage();
    preferredType(piece.repeat(200_000), [JSON_TYPE]);
    const { user } = process.cpuUsage(before);
    expect({ piece, isQuick: user < 3_000_000 }).toEqual({ piece, isQuick: true });
  }
});
