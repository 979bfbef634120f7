import { blockedOrders } from './blocked-orders.ts';
import { brokerFaults } from './broker.ts';
import { callbackFaults } from './callback.ts';
import { clockFaults } from './clock.ts';
import { databaseFaults } from './database.ts';
import { failPointFaults } from './fail-point.ts';
import type { Fault } from './fault.ts';
import { forgedFaults } from './forged.ts';
import { insertedFaults } from './inserted.ts';
import { insiderFaults } from './insiders.ts';
import { messageFaults } from './message.ts';
import { networkFaults } from './network.ts';
import { processFaults } from './process.ts';
import { providerFaults } from './provider.ts';
import { raisedFaults } from './raised.ts';

interface FaultOptions {
  /** Selects the fail points with which the run begins. */
  seed: number;
  brokerAwayMs: number;
  /** The fail points that the run may use. The default is all fail points. */
  points?: readonly string[] | undefined;
}

export function allFaults({ seed, brokerAwayMs, points }: FaultOptions): Fault[] {
  return [
    ...processFaults,
    ...failPointFaults({ seed, only: points }),
    ...brokerFaults(brokerAwayMs),
    ...databaseFaults,
    ...raisedFaults,
    ...insertedFaults,
    ...networkFaults,
    ...providerFaults,
    ...blockedOrders(),
    ...callbackFaults,
    ...messageFaults,
    ...forgedFaults,
    ...clockFaults,
    ...insiderFaults,
  ];
}
