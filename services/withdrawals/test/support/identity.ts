import { identitiesFor } from '@plataforma/testing/world';

export const identities = identitiesFor('withdrawals', {
  issuers: ['gateway'],
  scopes: ['withdrawals:write'],
  role: 'FINANCE',
});

export const {
  keySettings,
  ownKeys,
  merchantHeader,
  operatorHeader,
  orderHeader,
  serviceHeader,
  anonymousHeader,
} = identities;
export { newTenant } from '@plataforma/testing/world';
