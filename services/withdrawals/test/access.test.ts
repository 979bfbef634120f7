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
  },
});
