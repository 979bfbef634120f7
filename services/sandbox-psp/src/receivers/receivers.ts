import { createOutbound, OutboundError } from '@plataforma/http';

export interface Receivers {
  /**
   * Posts a callback as JSON. Returns the receiver's status, or null without an answer within ten seconds.
   */
  post(callbackUrl: string, body: string): Promise<number | null>;
  /** Aborts the requests in progress, which then return null. */
  close(): Promise<void>;
}

const TIMEOUT_MS = 10_000;

/**
 * Opens the client for receivers' callback addresses, which belong to the platform. It uses only the status
 * of an answer.
 */
export function openReceivers(): Receivers {
  const outbound = createOutbound({ allowInsecure: true });
  return {
    async post(url, text) {
      const json = { headers: { 'content-type': 'application/json' }, body: Buffer.from(text) };
      try {
        return (await outbound.request({ method: 'POST', url, ...json, timeoutMs: TIMEOUT_MS })).status;
      } catch (error) {
        if (error instanceof OutboundError) return null;
        throw error;
      }
    },
    close: outbound.close,
  };
}
