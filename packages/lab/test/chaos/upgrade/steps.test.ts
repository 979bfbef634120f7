import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { type ServiceName, serviceNames } from '@plataforma/testing';
import { nameOf } from '../../../src/chaos/faults/replicas.ts';
import { type Roll, roundsOf, type Upgraded, upgradeOrder } from '../../../src/chaos/upgrade/steps.ts';
import type { Replica } from '../../../src/chaos/world/world.ts';

const process = {
  ...{ url: '', pid: 0, exitCode: null },
  ...{ start: () => Promise.resolve(), stop: () => Promise.resolve(), kill: () => Promise.resolve() },
};
const replicaOf = (service: ServiceName, number: number): Replica => ({
  ...{ service, number, process, failPointsFile: '', clockFile: '', deaths: [] },
});
const replicas = serviceNames.flatMap((service) =>
  (service === 'sandbox-psp' ? [1] : [1, 2]).map((number) => replicaOf(service, number)),
);

/** Returns one line of text for each round. A plus sign joins replicas that are replaced together. */
function linesOf(roll: Roll, stopFirst: readonly Upgraded[] = []): string[] {
  return roundsOf({ replicas }, { roll, stopFirst }).map((round) =>
    round.map((together) => together.map(nameOf).join('+')).join(' '),
  );
}

describe('an upgrade', () => {
  test('replaces services in the documented order', () => {
    const page = readFileSync(new URL('../../../../../docs/operate/upgrade.md', import.meta.url), 'utf8');
    const [first, second, third, fourth, last] = upgradeOrder;
    const said = `${first} and ${second} first, then ${third}, then ${fourth}, ${last} last`;

    expect(page.replaceAll(/\s+/g, ' ')).toContain(said);
    expect(linesOf('services')).toEqual(upgradeOrder.flatMap((name) => [`${name}-1`, `${name}-2`]));
  });

  test('replaces the first replicas of all services before the others', () => {
    expect(linesOf('replicas')).toEqual([
      upgradeOrder.map((name) => `${name}-1`).join(' '),
      upgradeOrder.map((name) => `${name}-2`).join(' '),
    ]);
  });

  test('replaces all replicas of a stopped service together', () => {
    expect(linesOf('services', ['charges'])).toEqual([
      ...['webhooks-1', 'webhooks-2', 'ledger-1', 'ledger-2', 'charges-1+charges-2'],
      ...['withdrawals-1', 'withdrawals-2', 'gateway-1', 'gateway-2'],
    ]);
    expect(linesOf('replicas', ['charges'])[1]).toBe('webhooks-2 ledger-2 withdrawals-2 gateway-2');
  });
});
