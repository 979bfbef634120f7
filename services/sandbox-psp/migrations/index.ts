import { charges } from './001-charges.ts';
import { payments } from './002-payments.ts';
import { callbacks } from './003-callbacks.ts';
import { signingKey } from './004-signing-key.ts';

/** In order; a migration that has landed is never edited. */
export const migrations = [charges, payments, callbacks, signingKey];
