import { merchantsTable } from '@plataforma/chassis';
import { messagingTables } from '@plataforma/messaging';

/** In order; a migration that has landed is never edited. */
export const migrations = [messagingTables, merchantsTable];
