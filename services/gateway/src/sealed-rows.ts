import { eventsToSeal, proposalsToSeal, responsesToSeal } from '@plataforma/tables';
import { apiKeysToSeal } from './store/api-keys.ts';
import { epochProposalsToSeal } from './store/audit-epoch-proposals.ts';
import { challengesToSeal } from './store/operator-challenges.ts';
import { factorsToSeal, recoveryCodesToSeal } from './store/operator-factors.ts';
import { passkeysToSeal } from './store/operator-passkeys.ts';
import { operatorsToSeal } from './store/operators.ts';
import { organizationsToSeal } from './store/organizations.ts';
import { sessionsToSeal } from './store/sessions.ts';
import { usersToSeal } from './store/users.ts';

/** The sealed rows of this service. All other rows neither move money nor authorize a caller to move it. */
export const sealedRows = [
  ...[eventsToSeal, organizationsToSeal, usersToSeal, sessionsToSeal, apiKeysToSeal],
  ...[operatorsToSeal, factorsToSeal, recoveryCodesToSeal, passkeysToSeal, challengesToSeal],
  ...[epochProposalsToSeal, proposalsToSeal, responsesToSeal],
];
