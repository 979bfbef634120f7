import { createOutbound, OutboundError } from '@plataforma/http';

export interface Receivers {
  /**
   * Sends a callback as JSON. Returns the HTTP status of the answer, or null if no answer arrives within ten
   * seconds.
   */
  post(callbackUrl: string, body: string): Promise<number | null>;
  /** Aborts the requests that are in progress; their `post` then resolves with null. */
  close(): Promise<void>;
}

const TIMEOUT_MS = 10_000;

/**
 * Opens the HTTP client for callbacks. It accepts private and plain HTTP addresses, because all callback
 * addresses belong to the platform.
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
