export interface Credentials {
  headers(): Record<string, string>;
  /** Obtains new headers after a 401 for `refused`. Returns whether the headers now differ from `refused`. */
  renew(refused: Record<string, string>): Promise<boolean>;
}

export interface Renewable<Secret> extends Credentials {
  current(): Secret;
  replace(by: Secret): void;
}

interface Source<Secret> {
  headersOf(secret: Secret): Record<string, string>;
  /** Obtains a new secret. Returns null when that is not possible now. */
  obtain(): Promise<Secret | null>;
}

/**
 * Returns credentials that obtain a new secret when the current secret was refused. Concurrent callers share
 * one attempt.
 */
export function renewable<Secret>(first: Secret, { headersOf, obtain }: Source<Secret>): Renewable<Secret> {
  let current = { secret: first, headers: headersOf(first) };
  let obtaining: Promise<Secret | null> | null = null;
  const replace = (secret: Secret) => {
    current = { secret, headers: headersOf(secret) };
  };

  return {
    current: () => current.secret,
    replace,
    headers: () => current.headers,
    async renew(refused) {
      if (refused !== current.headers) return true;
      obtaining ??= obtain().finally(() => {
        obtaining = null;
      });
      const secret = await obtaining;
      if (refused === current.headers && secret !== null) replace(secret);
      return refused !== current.headers;
    },
  };
}

/**
 * Returns credentials that never change. Without headers, they are the credentials of an anonymous caller.
 */
export function fixed(headers: Record<string, string> = {}): Credentials {
  return { headers: () => headers, renew: async () => false };
}
