import { describeAccess } from '@plataforma/testing/proofs';
import { worldOfFile } from '@plataforma/testing/world';
import { identities } from './support/identity.ts';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);

describeAccess({
  service: 'withdrawals',
  url: () => world.first.url,
  identities,
  internal: {
    'GET /internal/alarms': ['gateway'],
    'GET /internal/audit-log/verify': ['gateway'],
    'GET /internal/chain-anchors': ['gateway'],
    'GET /internal/ordered-today': ['gateway'],
    'GET /internal/sandbox-clock': ['gateway'],
    'GET /internal/stops': ['gateway'],
    'GET /internal/timeline': ['gateway'],
    'POST /internal/events/applied': ['gateway'],
  },
});
