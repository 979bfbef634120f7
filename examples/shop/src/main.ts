import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { Plataforma } from '@plataforma/sdk';
import { reconcile } from './reconcile.ts';
import { createShop, refund, subscribe, unsubscribe } from './shop.ts';
import { openStore, type Store } from './store.ts';

const { DATA_DIR = '.local', HOST = '127.0.0.1', PORT } = process.env;
// The default URL and API key are those of the platform that `npm start` runs in the same folder.
const file = `${DATA_DIR}/platform.json`;
const local = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
const { PLATAFORMA_URL = local.baseUrl, PLATAFORMA_API_KEY = local.demo?.sandboxKey } = process.env;
const { SHOP_FILE = `${DATA_DIR}/shop.sqlite` } = process.env;

async function main([command, about]: string[]): Promise<unknown> {
  if (!PLATAFORMA_API_KEY) throw new Error(`No platform: run npm start first (${file} is not there)`);
  const plataforma = new Plataforma({ apiKey: PLATAFORMA_API_KEY, baseUrl: PLATAFORMA_URL });
  const store = openStore(SHOP_FILE);
  if (command === 'reconcile') return reconcile(plataforma, store, about);
  if (command === 'refund') return refund(plataforma, store, about ?? '').then(() => 'The refund is ordered');
  const server = createServer();
  await listening(server, Number(PORT ?? 3_000)).catch((error) => {
    if (PORT !== undefined)
      throw new Error(`${error.message}: name a free port, as in PORT=4000 npm run shop`);
    return listening(server, 0); // With port 0, the system chooses a free port.
  });
  const address = server.address();
  const { PUBLIC_URL = `http://127.0.0.1:${typeof address === 'object' && address?.port}` } = process.env;
  server.on('request', createShop(plataforma, store));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void close(plataforma, store));
  await subscribe(plataforma, store, PUBLIC_URL);
  return `The shop is at ${PUBLIC_URL}. Its other commands: npm run shop -- reconcile, npm run shop -- refund ORDER`;
}

async function listening(server: Server, port: number): Promise<void> {
  await once(server.listen(port, HOST), 'listening');
}

/** The handlers of signals run only once, so a second Ctrl-C ends the process at once. */
const close = (plataforma: Plataforma, store: Store) =>
  unsubscribe(plataforma, store)
    .catch(({ message }: Error) => console.error(`The webhook is registered still: ${message}`))
    .finally(() => process.exit());

await main(process.argv.slice(2)).then(console.log, ({ message }: Error) => {
  console.error(message);
  process.exit(1);
});
