export interface Credentials {
  headers(): Record<string, string>;
  /** Returns whether there are new headers after a refusal of these. */
  renew(refused: Record<string, string>): Promise<boolean>;
}

export interface Renewable<Secret> extends Credentials {
  current(): Secret;
  replace(by: Secret): void;
}

interface Source<Secret> {
  headersOf(secret: Secret): Record<string, string>;
  /** Returns null when no secret can be obtained now. */
  obtain(): Promise<Secret | null>;
}

/**
 * Returns credentials that obtain another secret when one has ended. Concurrent callers share one attempt.
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

/** Returns credentials that can't be renewed, or none. */
export function fixed(headers: Record<string, string> = {}): Credentials {
  return { headers: () => headers, renew: async () => false };
}
