import { describeAccess } from '@plataforma/testing/proofs';
import { worldOfFile } from '@plataforma/testing/world';
import { identities } from './support/identity.ts';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);

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
    'GET /internal/proposals': ['gateway'],
    'GET /internal/refundable': ['charges'],
    'GET /internal/sandbox-clock': ['gateway'],
    'GET /internal/timeline': ['gateway'],
    'GET /internal/wallet-proof': ['withdrawals'],
    'GET /internal/withdrawable': ['withdrawals', 'charges'],
    'POST /internal/events/applied': ['gateway', 'charges', 'withdrawals'],
    'POST /internal/refunds': ['charges'],
    'POST /internal/withdrawals': ['withdrawals'],
  },
});
