import { createJsonClient, type PeerAnswer, type ProviderExchange } from '@plataforma/http';
import { type ClientFor, type Environment, Refusal } from '@plataforma/kernel';
import { z } from 'zod';

/** The control API of the sandbox bank: what payers, card holders and banks do there. */
export interface SandboxBank {
  /** Refuses with NO_SANDBOX_BANK where it has no address: asked before anything is done that it would go on with. */
  requireAddress(): void;
  /** Returns the bank's answer; null: no such object. Refuses with INVALID_STATE as the bank does. */
  order(path: string, body?: object): Promise<unknown>;
  /** Returns the bank's record; undefined where the bank has no address, so that it has no orders. */
  read(path: string): Promise<unknown>;
}

/** Header that names the merchant of a call, whose provider faults the sandbox bank applies. */
export const SANDBOX_MERCHANT = 'x-sandbox-merchant';

/** A client for each merchant, whose calls name it; where the provider is not the sandbox bank (`isNamed`) none does. */
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
  /** The sandbox bank's; undefined where this installation has none. */
  controlUrl: string | undefined;
}

/** Whether a provider is the sandbox bank, by its host: another one hears of no merchant. */
export function isSandboxBank({ environment, baseUrl, controlUrl }: Provider): boolean {
  if (environment !== 'sandbox' || controlUrl === undefined) return false;
  return new URL(baseUrl).hostname === new URL(controlUrl).hostname;
}

/** For one request; a merchant waits meanwhile. */
const TIMEOUT_MS = 8_000;
const refused = z.object({ error: z.object({ message: z.string() }) });

/** Without an address the sandbox is another provider's, and nothing can be ordered. */
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

/** Gives the bank a moved clock only, because a bank of the release before does not know the field. */
export function movedClock(aheadMs: number): { aheadMs?: number } {
  return aheadMs === 0 ? {} : { aheadMs };
}

/** Refuses an operation that only the sandbox has; called before any other check. */
export function requireSandbox({ environment }: { environment: Environment }): void {
  if (environment === 'sandbox') return;
  throw new Refusal('forbidden', 'SANDBOX_ONLY', 'this exists in the sandbox only');
}

/** The provider of the sandbox is not the sandbox bank: nobody here plays its payers. */
export function noSandboxBank(): Refusal {
  const message = 'the sandbox of this installation is served by another provider than the sandbox bank';
  return new Refusal('conflict', 'NO_SANDBOX_BANK', message);
}

function unavailable(): Refusal {
  const message = 'the sandbox provider does not answer; try again';
  return new Refusal('unavailable', 'PROVIDER_UNAVAILABLE', message);
}
