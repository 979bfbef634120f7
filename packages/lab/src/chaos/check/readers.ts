import type { Call } from '../history.ts';
import { acknowledged } from './calls.ts';
import { type Finding, violation } from './finding.ts';

const NAMES = ['id', 'chargeId', 'withdrawalId', 'destinationId', 'webhookId', 'resourceId'];

/**
 * Checks that a client's responses contain objects of one merchant only, and only of the environment of the
 * client's key. Operators and checkout pages are not checked.
 */
export function compareReaders(calls: readonly Call[], owners: ReadonlyMap<string, string>): Finding[] {
  const merchantOf = new Map<string, string>();
  return acknowledged(calls).flatMap(({ call, data, list }) => {
    if (!isMerchants(call)) return [];
    const ids = [data, ...list].flatMap((thing) => NAMES.map((name) => String(thing[name])));
    return [...new Set(ids)].flatMap((id) => {
      const owner = owners.get(id);
      if (!owner) return [];
      const [merchant = '', environment] = owner.split(' ');
      const own = merchantOf.get(call.actor) ?? merchant;
      merchantOf.set(call.actor, own);
      if (own === merchant && (call.environment ?? environment) === environment) return [];
      return [violation(10, `call ${call.number} showed ${call.actor} ${id}, which is of ${owner}`)];
    });
  });
}

function isMerchants({ path }: Call): boolean {
  return path.startsWith('/v1/') && !path.startsWith('/v1/admin/') && !path.endsWith('/checkout');
}
