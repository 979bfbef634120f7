import { identitiesFor } from '@plataforma/testing/world';

export const { keySettings, ownKeys, merchantHeader, operatorHeader, serviceHeader, anonymousHeader } =
  identitiesFor('withdrawals', { issuers: ['gateway'], scopes: ['withdrawals:write'], role: 'FINANCE' });
export { newTenant } from '@plataforma/testing/world';
