import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '@plataforma/kernel';
import { fixed } from '../credentials.ts';
import { type ApiKey, headersOfKey, keyIn, mintKey } from '../merchants.ts';
import { type Act, type ActContext, EndOfAct } from './act.ts';

/** After this time every replica refuses a revoked key. The contract allows five seconds. */
const REFUSED_EVERYWHERE_MS = 6_000;

function holderOf({ api }: ActContext, key: ApiKey) {
  return api.as(fixed(headersOfKey(key)));
}

/** Uses an ended key. The checker expects a 401 for this action. */
async function useEndedKey(context: ActContext, key: ApiKey): Promise<void> {
  await sleep(REFUSED_EVERYWHERE_MS);
  await holderOf(context, key).read('use-ended-key', '/v1/balance');
}

/** Rotates the API key. The old key stays valid for the grace period, which may be zero. */
async function rotate(context: ActContext): Promise<void> {
  const { merchant, environment, dice } = context;
  const gracePeriodSeconds = dice.pick([0, 60]);
  const ring = merchant.keys[environment];
  const old = ring.current();
  const path = `/v1/api-keys/${old.id}/rotate`;
  const request = { action: 'rotate-key', method: 'POST', path, body: { gracePeriodSeconds } } as const;
  const next = keyIn(await merchant.dashboard.ask({ ...request, intent: dice.uuid(), again: 'by key' }));
  if (!next) throw new EndOfAct('another client rotated it');
  ring.replace(next);
  if (gracePeriodSeconds === 0) await useEndedKey(context, old);
}

function revoke({ merchant, dice }: ActContext, { id }: ApiKey) {
  const request = { action: 'revoke-key', method: 'DELETE', path: `/v1/api-keys/${id}` } as const;
  return merchant.dashboard.ask({ ...request, intent: dice.uuid(), again: 'as it is' });
}

/**
 * Creates a key that may only read charges, and tries a withdrawal with it, which must get a 403. Then it
 * revokes the key.
 */
async function makeAndRevoke(context: ActContext): Promise<void> {
  const { merchant, dice } = context;
  const environment: Environment = context.environment;
  const [minting, overstepping] = [dice.uuid(), dice.uuid()];
  const order = { pixKey: dice.uuid(), pixKeyType: 'EVP', amount: 100 };
  const made = await mintKey(merchant.dashboard, { environment, scopes: ['charges:read'], intent: minting });
  if (!made) throw new EndOfAct('no key was made');
  const holder = holderOf(context, made);
  await holder.read('list-charges', '/v1/charges?limit=5');
  const request = { action: 'overstep-scope', method: 'POST', path: '/v1/withdrawals', body: order } as const;
  await holder.ask({ ...request, intent: overstepping, again: 'by key' });
  const { isDone } = await revoke(context, made);
  if (isDone) await useEndedKey(context, made);
}

export const keys: readonly Act[] = [
  { name: 'rotate a key', weight: 2, play: rotate },
  { name: 'make and revoke a key', weight: 1, play: makeAndRevoke },
];
