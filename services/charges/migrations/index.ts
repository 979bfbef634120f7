import { merchantsTable } from '@plataforma/chassis';
import { messagingTables } from '@plataforma/messaging';
import { charges } from './003-charges.ts';
import { payments } from './004-payments.ts';

/** In order; a migration that has landed is never edited. */
export const migrations = [messagingTables, merchantsTable, charges, payments];
