import { EventEmitter } from 'node:events';
import { runCommand } from '../../../src/bench/command.ts';

/**
 * Runs two benchmarks that cause errors which no code handles, and one benchmark that succeeds. Prints what a
 * user would see in the terminal.
 */
const nothing = { about: 'nothing', rows: [] };
const { promise: never } = Promise.withResolvers<never>();

const exitCode = await runCommand<string>([], {
  benchmarks: [
    {
      name: 'event',
      async measure(bench) {
        await bench.platform();
        queueMicrotask(() => new EventEmitter().emit('error', new Error('a connection broke')));
        return never;
      },
    },
    {
      name: 'promise',
      measure() {
        Promise.reject(new Error('a request failed'));
        return never;
      },
    },
    { name: 'sound', measure: async () => ({ ...nothing, about: 'sound figures' }) },
  ],
  open: async () => ({ platform: '', logs: () => [], stop: async () => console.error('stopped in order') }),
  say: (text) => console.error(text),
  write: async () => console.error('written'),
});
process.exit(exitCode);
