import { expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { describeAccess } from '@plataforma/testing/proofs';
import { worldOfFile } from '@plataforma/testing/world';
import { newOrder } from './support/client.ts';
import { identities, newTenant } from './support/identity.ts';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);

describeAccess({
  service: 'charges',
  url: () => world.first.url,
  identities,
  alsoServes: [api.createQuote],
  internal: {
    'GET /internal/alarms': ['gateway'],
    'GET /internal/audit-log/verify': ['gateway'],
    'GET /internal/chain-anchors': ['gateway'],
    'GET /internal/sandbox-clock': ['gateway'],
    'GET /internal/stops': ['gateway'],
    'GET /internal/timeline': ['gateway'],
    'POST /internal/credits': ['withdrawals'],
    'POST /internal/events/applied': ['gateway'],
  },
});

test('externalIds are separate for each merchant and environment', async () => {
  const tenant = newTenant();
  const order = newOrder();

  const answers = await Promise.all(
    [tenant, newTenant(), { ...tenant, environment: 'production' as const }].map((one) =>
      world.client.create(one, order),
    ),
  );

  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(new Set(answers.map(({ data }) => api.createCharge.data.parse(data).txid)).size).toBe(3);
});
