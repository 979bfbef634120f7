import { randomUUID } from 'node:crypto';
import { createSigner } from '@plataforma/http';
import type { Platform } from '@plataforma/local';
import { dataOf, httpTo } from './http.ts';
import { paidEvent } from './paid-event.ts';
import type { Peer } from './peers/peer.ts';
import type { Owner } from './run.ts';

export const MERCHANTS = 100;
export const QUEUE = 'webhooks.events';

export interface Merchant {
  id: string;
  isHealthy: boolean;
}

interface Targets {
  bench: Owner;
  platform: Platform;
  endpoint: Peer;
}

/** Creates merchants with one webhook each, through the gateway's API. */
export async function merchantsAt(
  { bench, platform, endpoint }: Targets,
  pathOf: (n: number) => string,
): Promise<Merchant[]> {
  const signer = createSigner('gateway', platform.keys.gateway.privateKey);
  const http = httpTo(bench, platform.services.webhooks.url, { connections: 8 });
  const merchants = Array.from({ length: MERCHANTS }, (_, n) => ({ id: randomUUID(), path: pathOf(n) }));
  for (const { id, path } of merchants) {
    const identity = signer.sign(
      { kind: 'merchant', merchantId: id, environment: 'sandbox', scopes: ['charges:write'] },
      'webhooks',
    );
    const headers = { 'x-internal-identity': identity };
    const body = JSON.stringify({ url: `${endpoint.url}/${path}/${id}` });
    await dataOf(http.send({ method: 'POST', path: '/v1/webhook-config', headers, body }), 201);
  }
  return merchants.map(({ id, path }) => ({ id, isHealthy: path === 'ok' }));
}

/** Returns a function that builds the event of the nth payment. The payments rotate through the merchants. */
export const paidTo = (merchants: readonly Merchant[]) => (n: number) =>
  paidEvent({ merchantId: merchants[n % merchants.length]?.id ?? '' });
