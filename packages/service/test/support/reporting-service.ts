import type { Migration, Transaction } from '@plataforma/data';
import { merchantSnapshot } from '@plataforma/events';
import { signingKey } from '@plataforma/http';
import { newId } from '@plataforma/kernel';
import { announce, comparedEvents, outboxSeals, sharedTables } from '@plataforma/tables';
import { z } from 'zod';
import { defineService, eventSettings, serviceSettings } from '../../src/index.ts';

const settings = z.object({ ...serviceSettings, ...eventSettings, SERVICE_KEY: signingKey });

/** The functions of a service that its start calls, in the order of the calls. */
export const calls = [
  'build',
  'apply',
  'first job',
  'second job',
  'servers',
  'internal routes',
  'main routes',
  'gauges',
] as const;
export type Call = (typeof calls)[number];

interface ReportingStart {
  env: Record<string, string>;
  stopping?: AbortSignal | undefined;
  /** A further migration, which runs after the migrations of the service. */
  migration?: Migration | undefined;
  onCall?: (call: Call) => void;
  /** Called when a component begins its stop. The component waits for the returned promise. */
  onStop?: (part: string) => Promise<void>;
}

async function announceMerchant(tx: Transaction): Promise<void> {
  const id = newId();
  const fees = { pixFeeBps: 99, pixFeeFixed: 0 };
  const merchant = {
    ...{ id, version: 1, name: 'Loja', status: 'APPROVED' },
    checkoutColor: '#1f6feb',
    ...fees,
  };
  const about = { merchantId: id, environment: null, aggregateId: id, sequence: 1 } as const;
  await announce(tx, { type: 'merchant.updated', ...about, data: merchantSnapshot.parse(merchant) });
}

/**
 * Starts a service with all kinds of components. `POST /slow` announces an event when `mayAnswer` resolves.
 */
export function startReporting({
  env,
  stopping,
  migration,
  onCall = () => undefined,
  onStop = async () => undefined,
}: ReportingStart) {
  const mayAnswer = Promise.withResolvers<void>();
  const requestArrived = Promise.withResolvers<void>();
  const job = (name: 'first job' | 'second job') => () => {
    onCall(name);
    return { stop: () => onStop(name) };
  };
  const start = defineService({
    name: 'ledger',
    config: settings,
    migrations: [sharedTables, outboxSeals, comparedEvents, ...(migration ? [migration] : [])],
    tuning: {},
    build(core) {
      core.onStop('dependencies', () => onStop('client'));
      onCall('build');
      core.onStop('entryPoints', () => onStop('sender'));
      return {};
    },
    apply() {
      onCall('apply');
      return async () => undefined;
    },
    jobs: [job('first job'), job('second job')],
    servers() {
      onCall('servers');
      return {
        internal: {
          port: 0,
          connectionLimit: null,
          mount(app, url) {
            onCall('internal routes');
            app.get('/url', (_req, res) => void res.json(url()));
          },
        },
        absent: undefined,
      };
    },
    routes(app, { database }) {
      onCall('main routes');
      app.post('/slow', async (_req, res) => {
        requestArrived.resolve();
        await mayAnswer.promise;
        await database.transaction(announceMerchant);
        res.json({});
      });
    },
    gauges() {
      onCall('gauges');
      return [];
    },
  });
  const starting = start(env, {}, stopping);
  return { starting, requestArrived: requestArrived.promise, answer: mayAnswer.resolve };
}
