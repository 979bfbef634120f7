import type { Scope } from '@plataforma/contracts';
import type { Tenant } from '@plataforma/kernel';
import type { z } from 'zod';
import { headersFor } from './identity.ts';
import { envelope, type World } from './world.ts';

interface Request {
  body?: unknown;
  idempotencyKey?: string;
  scopes?: Scope[];
}

interface Called {
  status: number;
  json: z.infer<typeof envelope>;
  isReplay: boolean;
}

/** How a merchant calls: `'PATCH /id'`, below /v1/webhook-config. */
export type Calls = (tenant: Tenant, line: string, request?: Request) => Promise<Called>;

/** Calls as the gateway passes them on. */
export function callsTo(world: World): Calls {
  return async (tenant, line, { body, idempotencyKey, scopes } = {}) => {
    const [method = '', path = ''] = line.split(' ');
    const answer = await fetch(`${world.first.url}/v1/webhook-config${path}`, {
      method,
      headers: {
        ...headersFor(tenant, scopes),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const isReplay = answer.headers.get('idempotency-replayed') === 'true';
    return { status: answer.status, json: envelope.parse(await answer.json()), isReplay };
  };
}
