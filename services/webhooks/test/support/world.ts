import { api } from '@plataforma/contracts';
import type { Tenant } from '@plataforma/kernel';
import { type FakeMerchant, startFakeMerchant } from '@plataforma/testing';
import {
  type Caller,
  callerTo,
  type Emitter,
  type ServiceWorld,
  shareWorld,
  startEmitter,
  startServiceWorld,
} from '@plataforma/testing/world';
import { migrations } from '../../migrations/index.ts';
import { sealedRows } from '../../src/sealed-rows.ts';
import { startWebhooks } from '../../src/service.ts';
import { type Called, callsTo } from './calls.ts';
import { keySettings } from './identity.ts';

type Tuning = NonNullable<Parameters<typeof startWebhooks>[1]>;
type Service = Awaited<ReturnType<typeof startWebhooks>>;

export interface World extends ServiceWorld<Service, Tuning> {
  emitter: Emitter;
  /** Sends requests to the first replica, which starts with the test environment. */
  client: Caller;
  startMerchant(): Promise<FakeMerchant>;
  post(tenant: Tenant, body: unknown): Promise<Called>;
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
}

/** Returns the shared webhooks service for test files that do not need their own. */
export const sharedWorld = () =>
  shareWorld({ name: 'webhooks', start: () => startWorld({}, {}, { isShared: true }) });

/** Starts the webhooks service and an emitter that publishes events to it. */
export async function startWorld(
  tuning: Tuning = {},
  settings: NodeJS.ProcessEnv = {},
  sharing: { isShared?: boolean } = {},
): Promise<World> {
  const world = await startServiceWorld({
    start: startWebhooks,
    tuning,
    migrations,
    sealed: sealedRows,
    fakes: {},
    ...sharing,
    settings: {
      TRUSTED_KEYS: keySettings.TRUSTED_KEYS,
      WEBHOOK_ALLOW_INSECURE: 'true',
      WEBHOOK_SECRET_KEYS: `first:${Buffer.alloc(32, 7).toString('base64')}`,
      ...settings,
    },
  });
  const emitter = await startEmitter(world.brokerUrl);
  const client = callerTo(world.first.url);
  const call = callsTo({ client });
  const post = (tenant: Tenant, body: unknown) => call(tenant, 'POST ', { body });
  world.stopFirst(emitter);

  return {
    ...world,
    emitter,
    client,
    async startMerchant() {
      const merchant = await startFakeMerchant();
      world.stopFirst(merchant);
      return merchant;
    },
    post,
    async configure(tenant, configuration) {
      const { status, json } = await post(tenant, configuration);
      if (status !== 201) throw new Error(`no configuration was created: ${JSON.stringify(json)}`);
      return api.createWebhookConfiguration.data.parse(json.data);
    },
  };
}
