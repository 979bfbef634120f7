import { auditLogs, deadLetters } from '@plataforma/contracts';
import { type Migration, sharedTables, type Transaction } from '@plataforma/data';
import { merchantSnapshot } from '@plataforma/events';
import { createVerifier } from '@plataforma/http';
import { newId } from '@plataforma/kernel';
import { announce } from '@plataforma/messaging';
import { testSigner } from '@plataforma/testing';
import { z } from 'zod';
import { serviceSettings, startService } from '../../src/index.ts';

const settings = z.object({ ...serviceSettings, AMQP_URL: z.url() });

/** Where a start calls the service it starts, in order. */
export const calls = [
  'build',
  'messages',
  'first job',
  'second job',
  'operators',
  'servers',
  'internal routes',
  'main routes',
  'gauges',
] as const;
export type Call = (typeof calls)[number];

interface Telling {
  env: Record<string, string>;
  stopping?: AbortSignal | undefined;
  /** Runs after the tables of a service. */
  migration?: Migration | undefined;
  /** Told of each call. */
  onCall?: (call: Call) => void;
  /** Told of a part whose stop begins; the stop ends when this has. */
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

/** A service with a part of every sort; `POST /slow` announces an event once `mayAnswer` is resolved. */
export function startTelling({
  env,
  stopping,
  migration,
  onCall = () => undefined,
  onStop = async () => undefined,
}: Telling) {
  const mayAnswer = Promise.withResolvers<void>();
  const isAsked = Promise.withResolvers<void>();
  const job = (name: 'first job' | 'second job') => () => {
    onCall(name);
    return { stop: () => onStop(name) };
  };
  const starting = startService(
    {
      name: 'ledger',
      config: settings,
      migrations: migration ? [sharedTables, migration] : [sharedTables],
      build(core) {
        core.onStop('parts', () => onStop('client'));
        onCall('build');
        core.onStop('entrances', () => onStop('sender'));
        return { verifier: createVerifier('ledger', new Map()) };
      },
      messages({ config }) {
        onCall('messages');
        const subscription = {
          subscriber: 'ledger',
          apply: async () => undefined,
          signatures: { mode: 'accept' },
        } as const;
        return { brokerUrl: config.AMQP_URL, signer: testSigner, subscription };
      },
      jobs: [job('first job'), job('second job')],
      operators({ verifier }) {
        onCall('operators');
        return { verifier, auditLog: auditLogs.ledger, deadLetters: deadLetters.ledger };
      },
      servers({ database }) {
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
          main: {
            connectionLimit: null,
            mount(app) {
              onCall('main routes');
              app.post('/slow', async (_req, res) => {
                isAsked.resolve();
                await mayAnswer.promise;
                await database.transaction(announceMerchant);
                res.json({});
              });
            },
          },
        };
      },
      gauges() {
        onCall('gauges');
        return [];
      },
    },
    { env, stopping },
  );
  return { starting, isAsked: isAsked.promise, answer: mayAnswer.resolve };
}
