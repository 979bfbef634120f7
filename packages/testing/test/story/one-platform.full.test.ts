import { afterAll, beforeAll, describe } from '@jest/globals';
import { type FakeCollector, startFakeCollector } from '../../src/index.ts';
import { tellDelays } from './delays.ts';
import { tellMagicValues } from './magic-values.ts';
import { tellMisbehavingProvider } from './misbehaving-provider.ts';
import { tellProvenPayouts } from './proven-payouts.ts';
import { tellReconciliation } from './reconciliation.ts';
import { tellRestoredWithdrawals } from './restored-withdrawals.ts';
import { tellTimeline } from './timeline.ts';
import { tellTraces } from './traces.ts';
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
describe('one trace', () => tellTraces(() => ({ world, collector })));
describe('a provider that misbehaves', () => tellMisbehavingProvider(() => world));
describe('the magic values of the guide', () => tellMagicValues(() => world));
describe('what goes wrong on the way', () => tellDelays(() => world));
describe('the timeline', () => tellTimeline(() => world));
describe('a payout that its books do not prove', () => tellProvenPayouts(() => world));
describe('withdrawals, restored alone', () => tellRestoredWithdrawals(() => world));
describe('the reconciliation of a day', () => tellReconciliation(() => world));
