import { afterAll, beforeAll, describe } from '@jest/globals';
import { type FakeCollector, startFakeCollector } from '../../src/index.ts';
import { testDelays } from './delays.ts';
import { testMagicValues } from './magic-values.ts';
import { testMisbehavingProvider } from './misbehaving-provider.ts';
import { testProvenPayouts } from './proven-payouts.ts';
import { testReconciliation } from './reconciliation.ts';
import { testRestoredWithdrawals } from './restored-withdrawals.ts';
import { testTimeline } from './timeline.ts';
import { testTraces } from './traces.ts';
import { type Cast, startCast } from './world.ts';

let collector: FakeCollector;
let world: Cast;

beforeAll(async () => {
  collector = await startFakeCollector();
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
  // These tests use one replica per service, because they start many processes. The default tests use two.
  world = await startCast({ logLevel: 'debug', replicas: 1 });
}, 600_000);

afterAll(async () => {
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  await world?.stop();
  await collector?.stop();
});

// The traces are tested first, because that test searches all exported spans. The last test must stay the
// last, because it falsifies tables.
describe('a trace', () => testTraces(() => ({ world, collector })));
describe('a misbehaving provider', () => testMisbehavingProvider(() => world));
describe('the magic values of the guide', () => testMagicValues(() => world));
describe('crashes during a payment', () => testDelays(() => world));
describe('the timeline', () => testTimeline(() => world));
describe('a payout without proof in the books', () => testProvenPayouts(() => world));
describe('a restored withdrawals database', () => testRestoredWithdrawals(() => world));
describe('the reconciliation of a day', () => testReconciliation(() => world));
