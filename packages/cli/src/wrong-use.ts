/** Thrown when the command line, or a file that it names, is wrong. The exit code is 2. */
export class WrongUse extends Error {}

/** Thrown when the output file cannot be written. The exit code is 1. */
export class NotWritten extends Error {}

/**
 * The abort reason when a signal ends the command. The exit code is 128 plus the signal's number, as in
 * shells.
 */
export class Stopped extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('stopped');
    this.exitCode = exitCode;
  }
}
