import type { Scope } from '@plataforma/contracts';
import type { Tenant } from '@plataforma/kernel';
import type { Answered, Caller } from '@plataforma/testing/world';
import { merchantHeader } from './identity.ts';

interface Request {
  body?: unknown;
  idempotencyKey?: string;
  scopes?: Scope[];
}

export interface Called {
  status: number;
  json: Omit<Answered, 'status' | 'headers'>;
  isReplay: boolean;
}

/**
 * Sends a merchant's request. `line` is the method and the path below /v1/webhook-config, such as `'PATCH
 * /id'`.
 */
export type Calls = (tenant: Tenant, line: string, request?: Request) => Promise<Called>;

/** Returns a function that sends merchants' requests as the gateway forwards them. */
export function callsTo(world: { client: Caller }): Calls {
  return async (tenant, line, { body, idempotencyKey, scopes } = {}) => {
    const [method = '', path = ''] = line.split(' ');
    const key = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
    const { status, headers, ...json } = await world.client(`/v1/webhook-config${path}`, {
      method,
      headers: { ...merchantHeader(tenant, scopes), ...key },
      body,
    });
    return { status, json, isReplay: headers.get('idempotency-replayed') === 'true' };
  };
}
