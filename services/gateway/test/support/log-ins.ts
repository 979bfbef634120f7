import { type Answered, send } from './send.ts';
import { registration, startWorld } from './world.ts';

export interface Account {
  email: string;
  password: string;
}

interface LogInLimits {
  perAccount: number;
  perAddress: number;
}

let hosts = 0;

/** Returns an address from which no request was sent before. */
export function newAddress(): string {
  hosts += 1;
  return `203.0.${Math.floor(hosts / 250)}.${(hosts % 250) + 1}`;
}

/**
 * Starts a gateway with low limits of log-ins. The header `X-Forwarded-For` sets the address of a request.
 */
export async function startLogInWorld({ perAccount, perAddress }: LogInLimits) {
  const world = await startWorld({
    settings: {
      LOGIN_LIMIT_PER_ACCOUNT: `${perAccount}`,
      LOGIN_LIMIT_PER_ADDRESS: `${perAddress}`,
      TRUSTED_PROXIES: '127.0.0.1',
    },
  });

  function post(path: string, body: unknown, address: string, url = world.gateway.url): Promise<Answered> {
    return send(`${url}${path}`, { method: 'POST', body, headers: { 'x-forwarded-for': address } });
  }

  return {
    ...world,
    post,
    logIn: (email: string, password: string, address: string) =>
      post('/v1/auth/login', { email, password }, address),
    async account(): Promise<Account> {
      const { email, password, ...rest } = registration();
      await post('/v1/auth/register', { email, password, ...rest }, newAddress());
      return { email, password };
    },
    async countsOf(whom: string, name = 'pair'): Promise<number[]> {
      const rows = await world.database.query<{ points: number }>(
        "SELECT points FROM rate_counters WHERE key = $1 || ':' || encode(sha256(convert_to($2, 'UTF8')), 'hex')",
        [`/v1/auth/login ${name}`, whom],
      );
      return rows.map(({ points }) => points);
    },
  };
}
