import { identitiesFor } from '@plataforma/testing/world';

export const { keySettings, ownKeys, signerOf, headerWith, merchantHeader, operatorHeader, anonymousHeader } =
  identitiesFor('charges', { issuers: ['gateway', 'ledger'], scopes: ['charges:write'], role: 'FINANCE' });
export { newTenant } from '@plataforma/testing/world';
export const gateway = signerOf('gateway');
/** A service of ours that may speak to charges, but not for merchants. */
export const ledger = signerOf('ledger');
