import { type Scope, wideScopes } from '@plataforma/contracts/new-api-key';

/** The scopes that a new key gets for each use that the form offers. */
export const scopesOfUse = {
  shop: ['charges:write', 'charges:read'],
  reconciliation: ['charges:read', 'wallet:read'],
  all: wideScopes,
} as const satisfies Record<string, readonly Scope[]>;

export type KeyUse = keyof typeof scopesOfUse;

const uses: readonly KeyUse[] = ['shop', 'reconciliation', 'all'];

/** Returns the use that has exactly these scopes. */
export function useOfScopes(given: readonly Scope[]): KeyUse | undefined {
  return uses.find((use) => {
    const of: readonly Scope[] = scopesOfUse[use];
    return of.length === given.length && given.every((scope) => of.includes(scope));
  });
}
