import { createLog, type Database, openDatabase } from '@plataforma/chassis';
import { api } from '@plataforma/contracts';
import type { Tenant } from '@plataforma/kernel';
import { claimVhost, createTestDatabase, type FakeMerchant, startFakeMerchant } from '@plataforma/testing';
import { z } from 'zod';
import { startWebhooks } from '../../src/service.ts';
import { type Emitter, startEmitter } from './emitter.ts';
import { headersFor, TRUSTED_KEYS } from './identity.ts';

type Tuning = Parameters<typeof startWebhooks>[1];
type Service = Awaited<ReturnType<typeof startWebhooks>>;

export const envelope = z.object({
  success: z.boolean(),
  data: z.unknown().optional(),
  meta: z.unknown().optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});

interface Answered {
  status: number;
  json: z.infer<typeof envelope>;
}

export interface World {
  env: NodeJS.ProcessEnv;
  /** The service's own tables. */
  database: Database;
  brokerUrl: string;
  emitter: Emitter;
  /** The replica that was started along with the world. */
  first: Service;
  /** One more replica. */
  startService(tuning?: Tuning): Promise<Service>;
  startMerchant(): Promise<FakeMerchant>;
  post(tenant: Tenant, body: unknown): Promise<Answered>;
  configure(
    tenant: Tenant,
    configuration: {
      url: string;
      events?: string[];
      secret?: string;
      signatureVersion?: string;
      retrySchedule?: string;
    },
  ): Promise<{ id: string; secret: string }>;
  stop(): Promise<void>;
}

/** A webhooks service on a database and virtual host of its own, with somebody who emits events. */
export async function startWorld(tuning?: Tuning): Promise<World> {
  const brokerUrl = await claimVhost();
  const home = await createTestDatabase();
  const env = {
    HOST: '127.0.0.1',
    PORT: '0',
    ...home.env,
    MIGRATE_ON_START: 'true',
    LOG_LEVEL: 'silent',
    AMQP_URL: brokerUrl,
    TRUSTED_KEYS,
    WEBHOOK_ALLOW_INSECURE: 'true',
    WEBHOOK_SECRET_KEYS: `first:${Buffer.alloc(32, 7).toString('base64')}`,
  };
  const stops: (() => Promise<void>)[] = [];

  async function startService(of?: Tuning): Promise<Service> {
    const service = await startWebhooks(env, of);
    let stopped: Promise<void> | undefined;
    const stop = () => (stopped ??= service.stop());
    stops.push(stop);
    return { ...service, stop };
  }
  const first = await startService(tuning);
  const emitter = await startEmitter(brokerUrl);
  const log = createLog({ service: 'test', level: 'silent' });
  const database = openDatabase({ url: home.url, poolSize: 2, log });

  async function post(tenant: Tenant, body: unknown): Promise<Answered> {
    const headers = { ...headersFor(tenant), 'content-type': 'application/json' };
    const answer = await fetch(`${first.url}/v1/webhook-config`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return { status: answer.status, json: envelope.parse(await answer.json()) };
  }

  return {
    env,
    database,
    brokerUrl,
    emitter,
    first,
    startService,
    async startMerchant() {
      const merchant = await startFakeMerchant();
      stops.push(merchant.stop);
      return merchant;
    },
    post,
    async configure(tenant, configuration) {
      const { status, json } = await post(tenant, configuration);
      if (status !== 201) throw new Error(`no configuration was created: ${JSON.stringify(json)}`);
      return api.createWebhookConfiguration.data.parse(json.data);
    },
    async stop() {
      await emitter.stop();
      await Promise.all(stops.map((stop) => stop()));
      await database.close();
      await home.drop();
    },
  };
}
