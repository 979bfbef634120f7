/** The command line says something that is none of its commands: exit code 2, and nothing was sent. */
export class WrongUse extends Error {}

/** The file that the caller named cannot be written: exit code 1. */
export class NotWritten extends Error {}

/** A signal ends the command with 128 and its number, as in shells. */
export class Stopped extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('stopped');
    this.exitCode = exitCode;
  }
}
