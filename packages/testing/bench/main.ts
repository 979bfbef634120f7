import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { findInfrastructure, startPlatform } from '@plataforma/local';
import { cards } from './cards.ts';
import { charges } from './charges.ts';
import { debits } from './debits.ts';
import { deliveries } from './deliveries.ts';
import { gateway } from './gateway.ts';
import { images } from './images.ts';
import { ledger } from './ledger.ts';
import { transactions } from './lists.ts';
import { payments } from './payments.ts';
import { start } from './start.ts';

/** In this order: the last one gives the platform another acquirer. */
const benchmarks = { images, payments, charges, gateway, deliveries, ledger, debits, transactions, cards };

/** Starts a platform of its own on fresh data, measures, prints, and removes it again. */
const wanted = process.argv.slice(2);
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);
const chosen = Object.entries(benchmarks).filter(([name]) => isWanted(name));
if (chosen.length === 0 && !isWanted('start')) {
  console.error(`There is no such benchmark. There are: ${['start', ...Object.keys(benchmarks)].join(', ')}`);
  process.exit(1);
}

console.log(
  `${cpus().length} cores (${cpus()[0]?.model}), Node ${process.version}; all services, PostgreSQL,`,
);
console.log('RabbitMQ and the load itself on this machine, everything durable.\n');
// With nothing else on the machine.
if (isWanted('start')) console.log(`${(await start()).join('\n')}\n`);
if (chosen.length > 0) await measureOnOnePlatform();

async function measureOnOnePlatform(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plataforma-bench-'));
  const infrastructure = await findInfrastructure({ dataDir, allowExternal: false, say: console.log });
  try {
    const options = { dataDir, port: null, logLevel: 'warn', limits: 'lifted' } as const;
    const platform = await startPlatform({ ...options, ...infrastructure });
    try {
      for (const [, measure] of chosen) console.log(`${(await measure(platform)).join('\n')}\n`);
    } finally {
      await platform.stop();
    }
  } finally {
    await infrastructure.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
