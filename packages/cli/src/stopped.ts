/** By a signal: 128 and its number, as shells have it. */
export class Stopped extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('stopped');
    this.exitCode = exitCode;
  }
}
