interface Test {
  readonly path: string;
}

/** Runs the test files in the order in which the command line lists them. */
export default class Sequencer {
  sort(tests: readonly Test[]): Test[] {
    const order = new Map(process.argv.map((path, index) => [path, index]));
    const indexOf = ({ path }: Test) => order.get(path) ?? process.argv.length;
    return [...tests].sort((one, other) => indexOf(one) - indexOf(other));
  }

  /** Does nothing, because the order of the next run does not depend on this run. */
  cacheResults(): void {}
}
