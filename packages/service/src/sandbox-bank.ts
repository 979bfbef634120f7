import { createJsonClient, type PeerAnswer, type ProviderExchange } from '@plataforma/http';
import { type ClientFor, type Environment, Refusal } from '@plataforma/kernel';
import { z } from 'zod';

/** The control API of the sandbox bank, which plays payers, card holders and banks. */
export interface SandboxBank {
  /** Refuses with NO_SANDBOX_BANK where the bank has no address. Call it before work that needs the bank. */
  requireAddress(): void;
  /** Returns the bank's answer, or null when the object is missing; refuses with the bank's INVALID_STATE. */
  order(path: string, body?: object): Promise<unknown>;
  /** Returns the bank's record; undefined where the bank has no address and thus no orders. */
  read(path: string): Promise<unknown>;
}

/** Header that names the merchant of a call, whose provider faults the sandbox bank applies. */
export const SANDBOX_MERCHANT = 'x-sandbox-merchant';

/**
 * Returns a function for a merchant's client, whose calls name the merchant. Calls to another provider than
 * the sandbox bank (`isNamed` is false) name none.
 */
export function clientsByMerchant<Client>(
  { send, isNamed }: { send: ProviderExchange; isNamed: boolean },
  clientWith: (send: ProviderExchange) => Client,
): ClientFor<Client> {
  const common = clientWith(send);
  return (merchantId) => {
    if (!isNamed || !merchantId) return common;
    const name = { [SANDBOX_MERCHANT]: merchantId };
    return clientWith((request) => send({ ...request, headers: { ...request.headers, ...name } }));
  };
}

interface Provider {
  environment: Environment;
  baseUrl: string;
  /** The URL of the sandbox bank; undefined where this installation has none. */
  controlUrl: string | undefined;
}

/**
 * Returns true when a provider is the sandbox bank, by its host. Other providers receive no merchant's name.
 */
export function isSandboxBank({ environment, baseUrl, controlUrl }: Provider): boolean {
  if (environment !== 'sandbox' || controlUrl === undefined) return false;
  return new URL(baseUrl).hostname === new URL(controlUrl).hostname;
}

/** The timeout of one request, during which a merchant waits. */
const TIMEOUT_MS = 8_000;
const refused = z.object({ error: z.object({ message: z.string() }) });

/**
 * Creates the bank's client. Without an address, another provider serves the sandbox and orders are refused.
 */
export function createSandboxBank(baseUrl: string | undefined): SandboxBank {
  const bank = { timeoutMs: TIMEOUT_MS, unanswered: unavailable };
  const exchange = baseUrl === undefined ? undefined : createJsonClient({ ...bank, baseUrl });
  return {
    requireAddress() {
      if (!exchange) throw noSandboxBank();
    },
    read: async (path) =>
      exchange && answered(await exchange({ method: 'GET', path: `/control${path}`, headers: {} })),
    async order(path, body = {}) {
      if (!exchange) throw noSandboxBank();
      const headers = { 'content-type': 'application/json' };
      const about = { path: `/control${path}`, headers, body: JSON.stringify(body) };
      return answered(await exchange({ method: 'POST', ...about }));
    },
  };
}

function answered(answer: PeerAnswer): unknown {
  if (answer.status === 200) return answer.body;
  if (answer.status === 404) return null;
  if (answer.status !== 409) throw unavailable();
  throw new Refusal('conflict', 'INVALID_STATE', refused.parse(answer.body).error.message);
}

/** Returns the field for a moved clock only, because a bank of the previous release does not know it. */
export function movedClock(aheadMs: number): { aheadMs?: number } {
  return aheadMs === 0 ? {} : { aheadMs };
}

/** Refuses in production, with SANDBOX_ONLY, an operation of the sandbox. Call it before any other check. */
export function requireSandbox({ environment }: { environment: Environment }): void {
  if (environment === 'sandbox') return;
  throw new Refusal('forbidden', 'SANDBOX_ONLY', 'this exists only in the sandbox');
}

/**
 * Returns the refusal where another provider serves the sandbox, because only the sandbox bank plays payers.
 */
export function noSandboxBank(): Refusal {
  const message = 'the sandbox of this installation is served by another provider than the sandbox bank';
  return new Refusal('conflict', 'NO_SANDBOX_BANK', message);
}

function unavailable(): Refusal {
  const message = 'the sandbox provider does not answer; try again';
  return new Refusal('unavailable', 'PROVIDER_UNAVAILABLE', message);
}
