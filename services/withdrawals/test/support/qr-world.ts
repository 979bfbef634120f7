import { createLog, type Database, openDatabase } from '@plataforma/chassis';
import type { Scope } from '@plataforma/contracts';
import type { Tenant } from '@plataforma/kernel';
import { claimVhost, createTestDatabase } from '@plataforma/testing';
import { z } from 'zod';
import { startWithdrawals } from '../../src/service.ts';
import { headersFor, SERVICE_KEY, TRUSTED_KEYS } from './identity.ts';

const envelope = z.object({
  success: z.boolean(),
  data: z.unknown().optional(),
  meta: z.unknown().optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});

export interface Answered extends z.infer<typeof envelope> {
  status: number;
  headers: Headers;
}

export interface Message {
  method?: string;
  body?: unknown;
  scopes?: Scope[];
  headers?: Record<string, string>;
}

/** A merchant's calls to a server, as the gateway forwards them. */
export function callerOf(url: string) {
  return async (tenant: Tenant, path: string, message: Message = {}): Promise<Answered> => {
    const { method = 'GET', body, scopes, headers } = message;
    const answer = await fetch(url + path, {
      method,
      headers: { ...headersFor(tenant, scopes), 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, headers: answer.headers, ...envelope.parse(await answer.json()) };
  };
}

export interface QrWorld {
  env: NodeJS.ProcessEnv;
  database: Database;
  url: string;
  call: ReturnType<typeof callerOf>;
  /** One more of the same on the same database. */
  startReplica(): Promise<ReturnType<typeof callerOf>>;
  stop(): Promise<void>;
}

/** The whole service, on a database and virtual host of its own. */
export async function startQrWorld(overrides: NodeJS.ProcessEnv = {}): Promise<QrWorld> {
  const [brokerUrl, home] = await Promise.all([claimVhost(), createTestDatabase()]);
  const env = {
    HOST: '127.0.0.1',
    PORT: '0',
    ...home.env,
    MIGRATE_ON_START: 'true',
    LOG_LEVEL: 'silent',
    AMQP_URL: brokerUrl,
    TRUSTED_KEYS,
    SERVICE_KEY,
    // Nobody listens there: what is tested in this world needs neither.
    GATEWAY_INTERNAL_URL: 'http://127.0.0.1:9',
    LEDGER_URL: 'http://127.0.0.1:9',
    PAYOUT_CALLBACK_SECRET: 'segredo-dos-avisos-de-pagamento',
    ...overrides,
  };
  const first = await startWithdrawals(env);
  const replicas = [first];
  const log = createLog({ service: 'test', level: 'silent' });
  const database = openDatabase({ url: home.url, poolSize: 2, log });

  return {
    env,
    database,
    url: first.url,
    call: callerOf(first.url),
    async startReplica() {
      const replica = await startWithdrawals(env);
      replicas.push(replica);
      return callerOf(replica.url);
    },
    async stop() {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await database.close();
      await home.drop();
    },
  };
}
