/** With what somebody shows who he is. */
export interface Credentials {
  headers(): Record<string, string>;
  /** The headers that were sent have been refused. Whether there are others now. */
  renew(refused: Record<string, string>): Promise<boolean>;
}

export interface Renewable<Secret> extends Credentials {
  current(): Secret;
  replace(by: Secret): void;
}

interface Source<Secret> {
  headersOf(secret: Secret): Record<string, string>;
  /** Null: there is none to be had at the moment. */
  obtain(): Promise<Secret | null>;
}

/** Goes on with another secret when one has ended: many that notice it at once obtain one together. */
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

/** What can't be renewed: a key somebody found, or none at all. */
export function fixed(headers: Record<string, string> = {}): Credentials {
  return { headers: () => headers, renew: async () => false };
}
