import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { failPoints, situations } from '@plataforma/observe/fail-points';
import { insideEnvironment } from '../src/inside/environment.ts';
import { pointsOf } from '../src/inside/fail-points.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const packages = ['observe', 'data', 'http', 'service', 'messaging'].map((name) => `packages/${name}/src`);
const services = ['gateway', 'charges', 'withdrawals', 'ledger', 'webhooks'] as const;
const sourceOf = (service: string) => `services/${service}/src`;

function filesIn(folder: string): string[] {
  return readdirSync(join(repository, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map(({ parentPath, name }) => join(parentPath, name));
}

/** The names that are told to a function, wherever it is called. */
function toldTo(call: string, folders: readonly string[]): string[] {
  const texts = folders.flatMap(filesIn).map((file) => readFileSync(file, 'utf8'));
  const calls = texts.flatMap((text) => [...text.matchAll(new RegExp(`\\b${call}\\(([^)]*)\\)`, 'g'))]);
  return calls
    .flatMap(([, told = '']) => [...told.matchAll(/'([^']+)'/g)].map(([, name = '']) => name))
    .sort();
}

describe('the list of fail points', () => {
  test.each(services)('names each that the code of %s passes, once', (service) => {
    expect(toldTo('failPoint', [sourceOf(service)])).toEqual(Object.keys(failPoints[service]).sort());
  });

  test('names each that is in what all services are built from, once', () => {
    expect(toldTo('failPoint', packages)).toEqual(Object.keys(failPoints.common).sort());
  });

  test('names each rare situation that is told of, once', () => {
    expect(toldTo('sometimes', [...packages, ...services.map(sourceOf)])).toEqual([...situations].sort());
  });

  test('says which of them a process may pass', () => {
    expect(pointsOf('ledger')).toEqual(expect.arrayContaining(['debit.taken', 'commit.due']));
    expect(pointsOf('ledger')).not.toContain('payout.answered');
    expect(pointsOf('sandbox-psp')).toEqual([]);
  });
});

describe('what is deployed and started', () => {
  test('never sets the condition that arms fail points', () => {
    const { NODE_OPTIONS } = insideEnvironment({ failPointsFile: '', clockFile: '' });
    const folders = [
      'deploy',
      'packages/testing/src',
      'packages/local/src',
      'packages/local/bin',
      ...services.map(sourceOf),
    ];
    const manifests = services.map((service) => `services/${service}/package.json`);
    const files = folders.flatMap(filesIn);
    const others = ['package.json', 'docker-compose.yml', ...manifests].map((name) => join(repository, name));
    const armed = [...files, ...others].filter((file) =>
      /--conditions|-C[ =]faults/.test(readFileSync(file, 'utf8')),
    );

    expect(NODE_OPTIONS).toMatch(/--conditions=faults/);
    expect(armed).toEqual([]);
  });
});
