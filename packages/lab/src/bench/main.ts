import { parseArgs } from 'node:util';
import type { Platform } from '@plataforma/local';
import { namesOf, runFacts, type ServerVersions, writeMeasuredPart } from '@plataforma/testing';
import { cards } from './cards.ts';
import { charges } from './charges.ts';
import { runCommand } from './command.ts';
import { debits } from './debits.ts';
import { deliveries } from './deliveries.ts';
import { gateway } from './gateway.ts';
import { idle } from './idle.ts';
import { images } from './images.ts';
import { ledger } from './ledger.ts';
import { listen } from './listen.ts';
import { lists, transactions } from './lists.ts';
import { benchmarksOfPages } from './pages/benchmarks.ts';
import { payments } from './payments.ts';
import { openPlatform } from './platform.ts';
import { reportOf } from './report.ts';
import type { Measured, Workbench } from './run.ts';
import { start } from './start.ts';

const RESULTS = new URL('RESULTS.md', import.meta.url);

const benchmarks = {
  start,
  idle,
  images,
  payments,
  charges,
  gateway,
  deliveries,
  ledger,
  debits,
  transactions,
  lists,
  cards,
  listen,
};

const PAGES = new URL('../../../../services/web/RESULTS.md', import.meta.url);

const { values, positionals: names } = parseArgs({
  options: { keep: { type: 'boolean' } },
  allowPositionals: true,
});
const facts = await runFacts();
// The page benchmarks run in a command of their own, because they need a browser and have their own file of
// results.
const isOfPages = names.length === 1 && names[0] === 'pages';
let servers: ServerVersions | undefined;

console.log(
  `${facts}; all services, PostgreSQL, RabbitMQ and the load run on this machine, with durable storage.\n`,
);
const exitCode = await runCommand<Platform>(isOfPages ? [] : names, {
  benchmarks: Object.entries(isOfPages ? benchmarksOfPages : benchmarks).map(([name, measure]) => ({
    name,
    measure: (bench: Workbench<Platform>) => measure(bench),
  })),
  say: (text) => console.log(text),
  isSaved: values.keep ?? false,
  async open() {
    const opened = await openPlatform(isOfPages ? { web: { port: null } } : {});
    servers = opened.servers;
    return opened;
  },
  async write(measured: readonly Measured[]) {
    const circumstances = servers ? `${facts}, ${namesOf(servers)}` : facts;
    const file = isOfPages ? PAGES : RESULTS;
    for (const one of measured) await writeMeasuredPart(file, one.name, reportOf(one, circumstances));
    console.log(`Written to ${file.pathname}`);
  },
});
// The exit also ends work that a failed benchmark has left running.
process.exit(exitCode);
