import { Agent, request } from 'undici';

export interface Receivers {
  /** Posts a piece of news as JSON; answers the receiver's status, or null when none came in ten seconds. */
  tell(callbackUrl: string, body: string): Promise<number | null>;
  /** Breaks off what still runs: it answers null. */
  close(): Promise<void>;
}

const TIMEOUT_MS = 10_000;
const CONNECTIONS_PER_RECEIVER = 20;
const MAX_ANSWER_BYTES = 64 * 1024;

/** The way out to receivers' callback addresses: no redirects, and nothing of an answer counts but its status. */
export function openReceivers(): Receivers {
  const dispatcher = new Agent({ connections: CONNECTIONS_PER_RECEIVER });
  return {
    async tell(callbackUrl, text) {
      try {
        const { statusCode, body } = await request(callbackUrl, {
          dispatcher,
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: text,
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        await body.dump({ limit: MAX_ANSWER_BYTES }).catch(() => undefined);
        return statusCode;
      } catch {
        return null;
      }
    },
    close: () => dispatcher.destroy(),
  };
}
