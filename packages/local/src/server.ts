import type { Program } from './processes.ts';

/** A server that this process started, or found. */
export interface Server {
  readonly url: string;
  /** Null when the server is not a process on this machine that we may signal. */
  readonly pid: number | null;
  /** Stops it; rejects if it did not stop in order. Safe to call twice. */
  stop(): Promise<void>;
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>;
}

/** A server that is a process of ours: it can die, and come back at the same address with the same data. */
export interface OwnServer extends Server {
  readonly program: Program;
  /** Once it has ended; resolves when it answers. */
  start(): Promise<void>;
}

/** Something is missing on this machine; the message says what to do about it. */
export class MissingServer extends Error {}
