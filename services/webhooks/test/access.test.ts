import { describeAccess } from '@plataforma/testing/proofs';
import { worldOfFile } from '@plataforma/testing/world';
import { identities } from './support/identity.ts';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);

describeAccess({
  service: 'webhooks',
  url: () => world.first.url,
  identities,
  internal: {
    'GET /internal/audit-log/verify': ['gateway'],
    'GET /internal/chain-anchors': ['gateway'],
    'GET /internal/timeline': ['gateway'],
    'POST /internal/events/applied': ['gateway', 'charges', 'withdrawals', 'ledger'],
  },
});
