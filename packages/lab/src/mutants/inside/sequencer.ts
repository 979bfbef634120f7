interface Test {
  readonly path: string;
}

/** Runs the test files in the order in which the command line names them. */
export default class Sequencer {
  sort(tests: readonly Test[]): Test[] {
    const places = new Map(process.argv.map((path, place) => [path, place]));
    const placeOf = ({ path }: Test) => places.get(path) ?? process.argv.length;
    return [...tests].sort((one, other) => placeOf(one) - placeOf(other));
  }

  /** The next run has another order, whatever came of this one. */
  cacheResults(): void {}
}
