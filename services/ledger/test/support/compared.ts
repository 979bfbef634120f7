import { type Announcement, eventExchange, queueOf, SIGNATURE_HEADER } from '@plataforma/events';
import { signingKey } from '@plataforma/http';
import type { Tenant } from '@plataforma/kernel';
import { defineService, eventSettings, serviceSettings } from '@plataforma/service';
import { announce, comparedEvents, outboxSeals, sharedTables } from '@plataforma/tables';
import {
  eventually,
  freePort,
  openMetricsScraper,
  signedEventsOnly,
  urlOfBrokerUser,
} from '@plataforma/testing';
import {
  callerTo,
  keysOfWorker,
  openTestDatabase,
  startServiceWorld,
  testRowKeys,
} from '@plataforma/testing/world';
import { type ConfirmChannel, connect, type GetMessage } from 'amqplib';
import { z } from 'zod';
import { migrations } from '../../migrations/index.ts';
import { startLedger } from '../../src/service.ts';
import { keySettings, merchantHeader } from './identity.ts';

/** The producer's key for its events and for its calls to the ledger. */
const producer = keysOfWorker('charges for ledger');
/** Compares every two seconds the events that are at least one second old. */
const QUICK = { EVENT_COMPARISON_SECONDS: '2' };

const config = z.object({
  ...serviceSettings,
  ...eventSettings,
  SERVICE_KEY: signingKey,
  LEDGER_URL: z.url(),
});

/** Starts a service that only publishes events of charges and compares them with the ledger. */
async function startProducer(env: Record<string, string>) {
  const published = Promise.withResolvers<(events: readonly Announcement[]) => Promise<void>>();
  const start = defineService({
    ...{ name: 'charges', config, tuning: {}, migrations: [sharedTables, outboxSeals, comparedEvents] },
    build({ database }) {
      published.resolve((events) => database.transaction((tx) => announce(tx, ...events)));
      return {};
    },
    subscriberUrls: ({ LEDGER_URL }) => ({ ledger: LEDGER_URL }),
  });
  const scraper = await openMetricsScraper();
  const { stop } = await start({ ...env, METRICS_PORT: String(scraper.port) });
  return { announce: await published.promise, scrape: scraper.scrape, stop };
}

export type Compared = Awaited<ReturnType<typeof startCompared>>;

/** Starts a ledger and the database of a producer. The tests start the producer's replicas. */
export async function startCompared() {
  const port = String(await freePort(null));
  const world = await startServiceWorld({
    ...{ start: startLedger, tuning: {}, migrations, fakes: {} },
    settings: {
      ...{ PORT: port, BOOKS_CHECK_EVERY_MINUTES: '0', TRUSTED_KEYS: keySettings.TRUSTED_KEYS },
      EVENT_KEYS: JSON.stringify({ ...JSON.parse(signedEventsOnly.EVENT_KEYS), charges: producer.publicKey }),
    },
  });
  const { brokerUrl } = world;
  const home = await openTestDatabase([sharedTables, outboxSeals, comparedEvents]);
  const administrator = await connect(brokerUrl);
  const channel = await administrator.createConfirmChannel();
  let ledger = world.first;

  async function take(count: number): Promise<GetMessage[]> {
    const intruder = await connect(urlOfBrokerUser('ledger', brokerUrl));
    const taking = await intruder.createChannel();
    const taken: GetMessage[] = [];
    await eventually(async () => {
      while (taken.length < count) {
        const message = await taking.get(queueOf('ledger'), { noAck: true });
        if (!message) throw new Error('the queue has no further message');
        taken.push(message);
      }
    });
    await intruder.close();
    return taken;
  }

  return {
    ledger: world.database,
    producer: home.database,
    startProducer: (settings: Record<string, string> = {}) =>
      startProducer({
        ...{ HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent', AMQP_URL: brokerUrl, ...home.env },
        ...{ SERVICE_KEY: producer.privateKey, TRUSTED_KEYS: '{}', EVENT_SIGNATURES: 'accept' },
        ROW_KEYS: testRowKeys,
        ...{ LEDGER_URL: `http://127.0.0.1:${port}`, ...QUICK, ...settings },
      }),
    /** Runs `work` while the ledger is stopped, so that events wait in the ledger's queue. */
    async withoutLedger(work: () => Promise<void>) {
      await ledger.stop();
      await work();
      ledger = await world.startReplica();
    },
    /** Takes messages off the ledger's queue with the ledger's own login at the broker. */
    take,
    publish: (messages: readonly Pick<GetMessage, 'content' | 'properties'>[]) => publish(channel, messages),
    earned: async (tenant: Tenant) => {
      const { data } = await callerTo(ledger.url)('/v1/balance', { headers: merchantHeader(tenant) });
      return z.object({ totalEarned: z.int() }).parse(data).totalEarned;
    },
    async stop() {
      await administrator.close();
      await world.stop();
      await home.database.close();
    },
  };
}

async function publish(
  channel: ConfirmChannel,
  messages: readonly Pick<GetMessage, 'content' | 'properties'>[],
): Promise<void> {
  for (const { content, properties } of messages) {
    const headers = { [SIGNATURE_HEADER]: properties.headers?.[SIGNATURE_HEADER] };
    channel.publish(eventExchange, 'charge.paid', content, { persistent: true, headers });
  }
  await channel.waitForConfirms();
}
