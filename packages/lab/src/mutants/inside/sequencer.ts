interface Test {
  readonly path: string;
}

/** Runs the test files in the order in which the command line names them. */
export default class Sequencer {
  sort(tests: readonly Test[]): Test[] {
    const order = new Map(process.argv.map((path, index) => [path, index]));
    const indexOf = ({ path }: Test) => order.get(path) ?? process.argv.length;
    return [...tests].sort((one, other) => indexOf(one) - indexOf(other));
  }

  /** The next run has another order, whatever came of this one. */
  cacheResults(): void {}
}
