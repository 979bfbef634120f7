import { identitiesFor } from '@plataforma/testing/world';

export const identities = identitiesFor('charges', {
  issuers: ['gateway', 'ledger', 'withdrawals'],
  scopes: ['charges:write'],
  role: 'FINANCE',
});

export const { keySettings, ownKeys, headerWith, merchantHeader, operatorHeader, anonymousHeader } =
  identities;
export const { serviceHeader } = identities;
export { newTenant } from '@plataforma/testing/world';
export const gateway = identities.signerOf('gateway');
/** The identity of a platform service that may call charges, but never for a merchant. */
export const ledger = identities.signerOf('ledger');
