import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { definedIn } from '@plataforma/testing/definitions';
import { insideEnvironment } from '../../src/chaos/inside/environment.ts';
import { isPoint, pointsOf, situations } from '../../src/chaos/inside/fail-points.ts';
import { mutations } from '../../src/chaos/mutations.ts';

const repository = fileURLToPath(new URL('../../../..', import.meta.url));
const services = ['gateway', 'charges', 'withdrawals', 'ledger', 'webhooks'] as const;
const sourceOf = (service: string) => `services/${service}/src`;
const owners = definedIn('fail-points.ts').map(({ owner, isService, exported }) => ({
  source: `${isService ? 'services' : 'packages'}/${owner}/src`,
  exported,
}));

function filesIn(folder: string): string[] {
  return readdirSync(join(repository, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map(({ parentPath, name }) => join(parentPath, name));
}

/** Returns the names that the source code passes to the function `call`. */
function namesPassedTo(call: string, folders: readonly string[]): string[] {
  const texts = folders.flatMap(filesIn).map((file) => readFileSync(file, 'utf8'));
  const calls = texts.flatMap((text) => [...text.matchAll(new RegExp(`\\b${call}\\(([^)]*)\\)`, 'g'))]);
  return calls
    .flatMap(([, args = '']) => [...args.matchAll(/'([^']+)'/g)].map(([, name = '']) => name))
    .sort();
}

describe('the fail points of a package or a service', () => {
  test.each(owners)('are those in the code of $source, each once', ({ source, exported }) => {
    const { points = {} } = Object(exported.failPoint);

    expect(namesPassedTo('failPoint', [source])).toEqual(Object.keys(points).sort());
  });

  test.each(owners)('stand beside the rare situations of $source, each once', ({ source, exported }) => {
    const { situations: own = [] } = Object(exported.situation);

    expect(namesPassedTo('situation', [source])).toEqual([...own].sort());
  });

  test('have unique names, like the rare situations', () => {
    const points = new Set(services.flatMap(pointsOf));
    const named = owners.flatMap(({ exported }) => Object.keys(Object(exported.failPoint).points ?? {}));

    expect(points.size).toBeGreaterThan(50);
    expect(named.toSorted()).toEqual([...points].sort());
    expect(situations.toSorted()).toEqual([...new Set(situations)].sort());
  });

  test('include every point that a mutation needs', () => {
    const looked = mutations.flatMap(({ needs }) => needs.points ?? []);

    expect(looked.filter((name) => !isPoint(name))).toEqual([]);
  });

  test('belong to the processes that can pass them', () => {
    expect(pointsOf('ledger')).toEqual(expect.arrayContaining(['debit.taken', 'commit.due']));
    expect(pointsOf('ledger')).not.toContain('payout.answered');
    expect(pointsOf('sandbox-psp')).toEqual([]);
  });
});

describe('deployed and started code', () => {
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
