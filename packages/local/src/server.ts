import type { Program } from './processes.ts';

export interface Server {
  readonly url: string;
  /**
   * The pid of the server. Null if this process can't signal the server, for example because it runs in a
   * container.
   */
  readonly pid: number | null;
  /**
   * Stops the server; a second call does no harm. Rejects if the server exits with an error or has to be
   * killed.
   */
  stop(): Promise<void>;
  /** Kills the server, which gets no time to finish its work, as in a power failure. */
  kill(): Promise<void>;
}

/**
 * A server that runs as a child process of this process. It can start again at the same address with the same
 * data.
 */
export interface OwnServer extends Server {
  readonly program: Program;
  /** Starts the server again after its process has ended, and resolves when the server answers. */
  start(): Promise<void>;
}

/**
 * The error for a server that this machine does not have. The message says how to install or run the server.
 */
export class MissingServer extends Error {}
