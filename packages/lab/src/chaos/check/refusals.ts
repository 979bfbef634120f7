import { isOutOfBounds } from '../actors/shop-manners.ts';
import { acknowledged, nameOfCall } from './calls.ts';
import type { Evidence } from './evidence.ts';
import { type Finding, violation } from './finding.ts';

/** The invariant that is violated if an action succeeds. The platform must refuse each of these actions. */
const forbidden = new Map<string, Finding['invariant']>([
  ['use-ended-key', 9],
  ['overstep-scope', 10],
  ['use-ended-session', 9],
  ['read-anothers', 10],
  ['change-anothers', 10],
  ['act-as-operator', 10],
  ['overstep-role', 10],
]);

/**
 * Invariants 9 and 10. Checks that ended keys and sessions no longer work, and that no client reaches another
 * client's objects. Webhooks must not reach a server with an untrusted certificate or the target of a
 * redirection.
 */
export async function checkRefusals({ calls, received }: Evidence): Promise<Finding[]> {
  const opened = acknowledged(calls).flatMap(({ call }) => {
    const invariant = forbidden.get(call.action);
    if (!invariant) return [];
    return [violation(invariant, `${nameOfCall(call)} was answered ${call.status}: ${call.action}`)];
  });
  const misdirected = received
    .filter(({ configurationPath }) => isOutOfBounds(configurationPath))
    .map(({ id, configurationPath }) => violation(10, `delivery ${id} came to ${configurationPath}`));
  return [...opened, ...misdirected];
}
