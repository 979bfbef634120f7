import type { Program } from './processes.ts';

export interface Server {
  readonly url: string;
  /** Null if this process can't signal the server. */
  readonly pid: number | null;
  /** Stops the server; safe to repeat. Rejects if it did not stop in order. */
  stop(): Promise<void>;
  /** Ends the server at once, like a power failure. */
  kill(): Promise<void>;
}

/** A server that runs as a child process and can start again at the same address, on the same data. */
export interface OwnServer extends Server {
  readonly program: Program;
  /** Starts the server again after its end, and resolves when it answers. */
  start(): Promise<void>;
}

/** A server is not available on this machine; the message says what to do. */
export class MissingServer extends Error {}
