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

/** The rows of this service with seals. Rows of other tables neither order money nor say who may order it. */
export const sealedRows = [
  ...[eventsToSeal, organizationsToSeal, usersToSeal, sessionsToSeal, apiKeysToSeal],
  ...[operatorsToSeal, factorsToSeal, recoveryCodesToSeal, passkeysToSeal, challengesToSeal],
  ...[epochProposalsToSeal, proposalsToSeal, responsesToSeal],
];
