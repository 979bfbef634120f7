import { identitiesFor } from '@plataforma/testing/world';

export const { keySettings, merchantHeader, operatorHeader, serviceHeader, anonymousHeader } = identitiesFor(
  'webhooks',
  { issuers: ['gateway'], scopes: ['charges:write', 'webhooks:write'], role: 'SUPPORT' },
);
export { newTenant } from '@plataforma/testing/world';
