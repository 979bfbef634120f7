import { createInterface } from 'node:readline';

/** For each line of input, prints the current time from each source of time. */
for await (const _ of createInterface(process.stdin)) {
  const said = {
    now: Date.now(),
    constructed: Date.parse(new Date().toJSON()),
    called: Date.parse(Date()),
    copied: new Date('2020-01-02T03:04:05.678Z').toJSON(),
    measured: performance.timeOrigin + performance.now(),
    isDate: new Date() instanceof Date && new Date().constructor === Date,
  };
  process.stdout.write(`${JSON.stringify(said)}\n`);
}
