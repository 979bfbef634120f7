import { messagingTables } from '@plataforma/messaging';
import { journal } from './002-journal.ts';
import { wallets } from './003-wallets.ts';

/** In order; a migration that has landed is never edited. */
export const migrations = [messagingTables, journal, wallets];
