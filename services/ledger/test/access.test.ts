import { afterAll, beforeAll } from '@jest/globals';
import { describeAccess } from '@plataforma/testing/proofs';
import { identities } from './support/identity.ts';
import { sharedWorld, type World } from './support/world.ts';

let world: World;

beforeAll(async () => {
  world = await sharedWorld();
});
afterAll(() => world.stop());

describeAccess({
  service: 'ledger',
  url: () => world.first.url,
  identities,
  internal: {
    'GET /internal/audit-log/verify': ['gateway'],
    'GET /internal/books/verify': ['gateway'],
    'GET /internal/chain-anchors': ['gateway'],
    'GET /internal/dispute-debt': ['charges'],
    'GET /internal/payments': ['charges'],
    'GET /internal/refundable': ['charges'],
    'GET /internal/sandbox-clock': ['gateway'],
    'GET /internal/timeline': ['gateway'],
    'GET /internal/wallet-proof': ['withdrawals'],
    'GET /internal/withdrawable': ['withdrawals', 'charges'],
    'POST /internal/refunds': ['charges'],
    'POST /internal/withdrawals': ['withdrawals'],
  },
});
