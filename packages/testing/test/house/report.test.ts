import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { measure } from '../../src/house/figures.ts';
import { faultsOf, looseLimitsOf, reportOf } from '../../src/house/report.ts';
import { readTree } from '../../src/house/sources.ts';
import { scratchFolders } from '../../src/scratch.ts';
import { statements, treeOf } from './support/tree.ts';

const newFolder = scratchFolders();

const PAY = 'services/charges/src/operations/pay.ts';
const journey = { name: 'pay', service: 'charges', entry: 'operations/pay.ts', files: 15, lines: 800 };

test('the source tree is read from packages and services', () => {
  const root = newFolder();
  const files = {
    [PAY]: `import { log } from '@plataforma/observe';\n`,
    'services/charges/migrations/index.ts': '',
    'packages/observe/package.json': '{"name":"@plataforma/observe","exports":{"./log":"./src/log.ts"}}',
    'packages/observe/src/log.ts': '',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }

  expect(readTree(root)).toEqual({
    src: [
      { path: 'packages/observe/src/log.ts', text: '' },
      { path: PAY, text: files[PAY] },
    ],
    packages: new Map([['@plataforma/observe/log', 'packages/observe/src/log.ts']]),
  });
});

test('figures within limits have no fault and are reported', () => {
  const house = measure(treeOf({ [PAY]: statements(250) }), [journey]);

  expect(faultsOf(house)).toEqual([]);
  expect(reportOf(house)).toMatch(/^pay +1 \/ 250 +1 \/ 250 +15 \/ 800$/m);
  expect(reportOf(house)).toMatch(/^services\/charges +250$/m);
});

test('a journey above its line limit is a fault', () => {
  const house = measure(treeOf({ [PAY]: statements(9) }), [{ ...journey, files: 1, lines: 8 }]);

  expect(faultsOf(house)).toEqual(['to pay: 1 / 9, the limit is 1 / 8']);
});

test('a limit above both figure and aim is loose', () => {
  const house = measure(treeOf({ [PAY]: statements(9) }), [{ ...journey, lines: 801 }]);

  expect(looseLimitsOf(house)).toEqual(['pay']);
  expect(looseLimitsOf({ ...house, journeys: [] })).toEqual([]);
});

test('a missing first file of a journey is an error', () => {
  expect(() => measure(treeOf({}), [journey])).toThrow(
    '"pay" begins at operations/pay.ts of charges: there is not one such file',
  );
});
