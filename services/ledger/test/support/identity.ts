import { identitiesFor } from '@plataforma/testing/world';

export const { keySettings, merchantHeader, operatorHeader, serviceHeader } = identitiesFor('ledger', {
  issuers: ['gateway', 'charges', 'webhooks', 'withdrawals'],
  scopes: ['wallet:read'],
  role: 'ADMIN',
});
export { newTenant } from '@plataforma/testing/world';
