import { createOutbound, OutboundError } from '@plataforma/http';

export interface Receivers {
  /** Posts a callback as JSON; answers the receiver's status, or null when none came in ten seconds. */
  post(callbackUrl: string, body: string): Promise<number | null>;
  /** Breaks off what still runs: it answers null. */
  close(): Promise<void>;
}

const TIMEOUT_MS = 10_000;

/** The way out to receivers' callback addresses, which are ours: nothing of an answer counts but its status. */
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
