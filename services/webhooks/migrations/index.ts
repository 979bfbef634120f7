import { auditChain, auditTable } from '@plataforma/data';
import { idempotencyOwners, idempotencyTable } from '@plataforma/http';
import {
  deadLetterSignatures,
  deadLettersTable,
  messagesByMonth,
  messagingTables,
  notTakenIndex,
} from '@plataforma/messaging';
import { anchorsTable } from '@plataforma/service';
import { configurations } from './002-configurations.ts';
import { events } from './003-events.ts';
import { deliveries } from './004-deliveries.ts';
import { configurationOptions } from './005-configuration-options.ts';
import { moreAttempts } from './006-more-attempts.ts';
import { deliveryLists } from './010-delivery-lists.ts';
import { eventLists } from './011-event-lists.ts';
import { endpointHealth } from './012-endpoint-health.ts';
import { leases } from './013-leases.ts';
import { eventTraces } from './014-event-traces.ts';
import { cheaperDeliveries } from './015-cheaper-deliveries.ts';
import { oneIndexLess } from './016-one-index-less.ts';
import { eventSequences } from './017-event-sequences.ts';
import { eventOrder } from './018-event-order.ts';
import { eventsInOrder } from './019-events-in-order.ts';
import { oldSecrets } from './020-old-secrets.ts';
import { settledDeliveries } from './021-settled-deliveries.ts';
import { webhookFaults } from './022-webhook-faults.ts';
import { keysWithEvents } from './023-keys-with-events.ts';
import { attemptsKey, attemptsOfEvents } from './024-attempts-of-events.ts';
import { replacedKeys } from './025-replaced-keys.ts';
import { byMonth } from './026-events-by-month.ts';
import { waitingMonths } from './027-waiting-months.ts';
import { settledInMonths } from './028-settled-in-months.ts';
import { pausedMonths } from './029-paused-months.ts';
import { sealingKeys } from './030-sealing-keys.ts';
import { failingEndpoints } from './031-failing-endpoints.ts';

/** In order; a migration that has landed is never edited. */
export const migrations = [
  messagingTables,
  configurations,
  events,
  deliveries,
  configurationOptions,
  moreAttempts,
  idempotencyTable,
  idempotencyOwners,
  auditTable,
  auditChain,
  deliveryLists,
  eventLists,
  endpointHealth,
  deadLettersTable,
  leases,
  eventTraces,
  cheaperDeliveries,
  oneIndexLess,
  deadLetterSignatures,
  eventSequences,
  eventOrder,
  eventsInOrder,
  oldSecrets,
  anchorsTable,
  notTakenIndex,
  settledDeliveries,
  webhookFaults,
  ...messagesByMonth,
  keysWithEvents,
  attemptsOfEvents,
  attemptsKey,
  replacedKeys,
  ...byMonth,
  waitingMonths,
  settledInMonths,
  pausedMonths,
  sealingKeys,
  failingEndpoints,
];
