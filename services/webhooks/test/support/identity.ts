import { identitiesFor } from '@plataforma/testing/world';

export const identities = identitiesFor('webhooks', {
  issuers: ['gateway', 'charges', 'withdrawals', 'ledger'],
  scopes: ['charges:write', 'webhooks:write'],
  role: 'SUPPORT',
});

export const { keySettings, merchantHeader, operatorHeader, serviceHeader } = identities;
export { newTenant } from '@plataforma/testing/world';
