/** The command line is wrong: exit code 2. Nothing was sent. */
export class WrongUse extends Error {}

/** The output file cannot be written: exit code 1. */
export class NotWritten extends Error {}

/** A signal ended the command. The exit code is 128 plus its number, as in shells. */
export class Stopped extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('stopped');
    this.exitCode = exitCode;
  }
}
