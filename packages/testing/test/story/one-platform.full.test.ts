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
  world = await startCast({ logLevel: 'debug' });
}, 600_000);

afterAll(async () => {
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  await world?.stop();
  await collector?.stop();
});

// In this order: traces are looked for in all that was exported, and the last story falsifies the tables.
describe('one trace', () => testTraces(() => ({ world, collector })));
describe('a provider that misbehaves', () => testMisbehavingProvider(() => world));
describe('the magic values of the guide', () => testMagicValues(() => world));
describe('what goes wrong on the way', () => testDelays(() => world));
describe('the timeline', () => testTimeline(() => world));
describe('a payout that its books do not prove', () => testProvenPayouts(() => world));
describe('withdrawals, restored alone', () => testRestoredWithdrawals(() => world));
describe('the reconciliation of a day', () => testReconciliation(() => world));
