import { createJsonClient, type PeerAnswer } from '@plataforma/http';
import { type Environment, Refusal } from '@plataforma/kernel';
import { z } from 'zod';

/** The control API of the sandbox bank, which acts as payers, card holders and their banks. */
export interface SandboxBank {
  /**
   * Refuses with NO_SANDBOX_BANK when this installation has no sandbox bank. Call it before work that needs
   * the bank.
   */
  requireAddress(): void;
  /**
   * Sends an order and returns the bank's answer. Returns null if the bank finds no object at `path`. Throws
   * INVALID_STATE if the state of the object does not allow the order.
   */
  order(path: string, body?: object): Promise<unknown>;
  /**
   * Returns the bank's record at this path, or null when the bank has no such record. Returns undefined when
   * this installation has no sandbox bank.
   */
  read(path: string): Promise<unknown>;
}

/** The timeout of a request to the bank. A merchant waits during the request. */
const TIMEOUT_MS = 8_000;
const refused = z.object({ error: z.object({ message: z.string() }) });

/**
 * Creates a client of the sandbox bank. Without an address, another provider serves the sandbox, and the
 * client refuses orders.
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

/**
 * Returns an object with `aheadMs`, or an empty object when the clock was not moved. A bank of the previous
 * release does not know the field.
 */
export function movedClock(aheadMs: number): { aheadMs?: number } {
  return aheadMs === 0 ? {} : { aheadMs };
}

/** Refuses an operation of the sandbox in production, with SANDBOX_ONLY. Call it before any other check. */
export function requireSandbox({ environment }: { environment: Environment }): void {
  if (environment === 'sandbox') return;
  throw new Refusal('forbidden', 'SANDBOX_ONLY', 'this exists only in the sandbox');
}

/**
 * Returns the error for an installation in which another provider serves the sandbox. Only the sandbox bank
 * can act as a payer.
 */
export function noSandboxBank(): Refusal {
  const message = 'the sandbox of this installation is served by another provider than the sandbox bank';
  return new Refusal('conflict', 'NO_SANDBOX_BANK', message);
}

function unavailable(): Refusal {
  const message = 'the sandbox provider does not answer; try again';
  return new Refusal('unavailable', 'PROVIDER_UNAVAILABLE', message);
}
