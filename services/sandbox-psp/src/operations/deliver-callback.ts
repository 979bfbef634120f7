import type { Database } from '@plataforma/data';
import type { Log } from '@plataforma/observe';
import type { Claimed } from '@plataforma/work';
import { addressOf, stateAfter } from '../domain/callback.ts';
import type { Clients } from '../domain/client.ts';
import type { Receivers } from '../receivers/receivers.ts';
import { type DueCallback, recordOutcome } from '../store/callbacks.ts';

interface Delivery {
  database: Database;
  clients: Clients;
  receivers: Receivers;
  log: Log;
}

/** Sends a leased callback to the receiver once. Records the outcome only if the lease is still valid. */
export async function deliverCallback(claimed: Claimed<DueCallback>, delivery: Delivery): Promise<void> {
  const { database, clients, receivers, log } = delivery;
  const { item: callback } = claimed;
  const { kind, clientId, attempts } = callback;
  const address = addressOf(callback, clients.get(clientId));
  const status = address === undefined ? null : await receivers.post(address, callback.body);

  const isReceived = status !== null && status >= 200 && status < 300;
  const state = stateAfter({ attempts, isReceived });
  const isRecorded = await recordOutcome(database, claimed, state);
  if (isReceived && isRecorded) return;
  const fields = { kind, client: clientId, status, attempts, state, isRecorded };
  log.warn(fields, isRecorded ? 'a callback was not received' : 'a callback ended after its lease');
}
