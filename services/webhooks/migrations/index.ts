import { auditChain, auditTable } from '@plataforma/chassis';
import { messagingTables } from '@plataforma/messaging';
import { configurations } from './002-configurations.ts';
import { events } from './003-events.ts';
import { deliveries } from './004-deliveries.ts';

/** In order; a migration that has landed is never edited. */
export const migrations = [messagingTables, configurations, events, deliveries, auditTable, auditChain];
