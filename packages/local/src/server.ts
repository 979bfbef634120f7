/** A server that this process started, or found. */
export interface Server {
  readonly url: string;
  /** Null when the server is not a process on this machine that we may signal. */
  readonly pid: number | null;
  /** Stops it in order; safe to call twice. */
  stop(): Promise<void>;
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>;
}

/** Something is missing on this machine; the message says what to do about it. */
export class MissingServer extends Error {}
