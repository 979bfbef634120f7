import { auditChain } from '@plataforma/data';
import { idempotencyOwners, idempotencyTable } from '@plataforma/http';
import {
  deadLetterSignatures,
  deadLettersTable,
  messagesByMonth,
  messagingTables,
  notTakenIndex,
} from '@plataforma/messaging';
import { anchorsTable } from '@plataforma/service';
import { organizations } from './002-organizations.ts';
import { apiKeys } from './003-api-keys.ts';
import { operators } from './004-operators.ts';
import { cardSettings } from './005-card-settings.ts';
import { withdrawalSettings } from './006-withdrawal-settings.ts';
import { standingSteps } from './010-standing-steps.ts';
import { apiKeyLife } from './011-api-key-life.ts';
import { operatorStanding } from './012-operator-standing.ts';
import { sessionEnds } from './013-session-ends.ts';
import { rateCounters } from './020-rate-counters.ts';
import { operatorPasswords } from './021-operator-passwords.ts';
import { livingSessions } from './022-living-sessions.ts';
import { settlementCalendar } from './026-settlement-calendar.ts';
import { auditAnchors } from './027-audit-anchors.ts';
import { narrowScopes } from './028-narrow-scopes.ts';
import { auditEpochProposals } from './029-audit-epoch-proposals.ts';
import { keptAnchors } from './030-kept-anchors.ts';
import { unanchoredChains } from './031-unanchored-chains.ts';
import { requestLogTable } from './032-request-log.ts';
import { sandboxClocks } from './033-sandbox-clocks.ts';
import { timeZonesOfAccounts } from './034-time-zones.ts';
import { expiringKeys } from './035-expiring-keys.ts';
import { sessionClients } from './036-session-clients.ts';
import { firstTokens } from './037-first-tokens.ts';

/** In order; a migration that has landed is never edited. */
export const migrations = [
  messagingTables,
  organizations,
  apiKeys,
  operators,
  cardSettings,
  withdrawalSettings,
  standingSteps,
  apiKeyLife,
  operatorStanding,
  sessionEnds,
  idempotencyTable,
  idempotencyOwners,
  auditChain,
  rateCounters,
  operatorPasswords,
  livingSessions,
  settlementCalendar,
  auditAnchors,
  narrowScopes,
  auditEpochProposals,
  deadLettersTable,
  deadLetterSignatures,
  anchorsTable,
  keptAnchors,
  unanchoredChains,
  notTakenIndex,
  requestLogTable,
  sandboxClocks,
  timeZonesOfAccounts,
  expiringKeys,
  sessionClients,
  firstTokens,
  ...messagesByMonth,
];
