import { identitiesFor } from '@plataforma/testing/world';

export const identities = identitiesFor('ledger', {
  issuers: ['gateway', 'charges', 'webhooks', 'withdrawals'],
  scopes: ['wallet:read'],
  role: 'ADMIN',
});

export const { keySettings, merchantHeader, operatorHeader, operatorId, serviceHeader } = identities;
export { newTenant } from '@plataforma/testing/world';
