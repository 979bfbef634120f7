import { existsSync, readFileSync } from 'node:fs';
import { Plataforma } from '@plataforma/sdk';
import { reconcile } from './reconcile.ts';
import { createShop, refund } from './shop.ts';
import { openStore } from './store.ts';

const { DATA_DIR = '.local', HOST = '127.0.0.1', PORT = '3000' } = process.env;
// Of the platform that `npm start` runs in the same folder, unless the environment names another.
const file = `${DATA_DIR}/platform.json`;
const local = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
const { PLATAFORMA_URL = local.baseUrl, PLATAFORMA_API_KEY = local.demo?.sandboxKey } = process.env;
const { PUBLIC_URL = `http://127.0.0.1:${PORT}`, SHOP_FILE = `${DATA_DIR}/shop.sqlite` } = process.env;

async function main([command, about]: string[]): Promise<unknown> {
  if (!PLATAFORMA_API_KEY) throw new Error(`No platform: run npm start first (${file} is not there)`);
  const plataforma = new Plataforma({ apiKey: PLATAFORMA_API_KEY, baseUrl: PLATAFORMA_URL });
  const store = openStore(SHOP_FILE);
  if (command === 'reconcile') return reconcile(plataforma, store, about);
  if (command === 'refund') return refund(plataforma, store, about ?? '').then(() => 'The refund is ordered');
  (await createShop(plataforma, store, PUBLIC_URL)).listen(Number(PORT), HOST);
  return `The shop is at ${PUBLIC_URL}. Its other commands: npm run shop -- reconcile, npm run shop -- refund ORDER`;
}

await main(process.argv.slice(2)).then(console.log, ({ message }: Error) => {
  console.error(message);
  process.exitCode = 1;
});
