import { existsSync, readFileSync } from 'node:fs';
import { Plataforma } from '@plataforma/sdk';
import { reconcile } from './reconcile.ts';
import { createShop, refund } from './shop.ts';
import { openStore } from './store.ts';

// Of the platform that `npm start` runs in the same folder, unless the environment names another.
const local = existsSync('.local/platform.json')
  ? JSON.parse(readFileSync('.local/platform.json', 'utf8'))
  : {};
const {
  PLATAFORMA_URL = local.baseUrl,
  PLATAFORMA_API_KEY = local.demo?.sandboxKey,
  PORT = '3000',
} = process.env;
const {
  PUBLIC_URL = `http://127.0.0.1:${PORT}`,
  HOST = '127.0.0.1',
  SHOP_FILE = '.local/shop.sqlite',
} = process.env;

const plataforma = new Plataforma({ apiKey: PLATAFORMA_API_KEY, baseUrl: PLATAFORMA_URL });
const store = openStore(SHOP_FILE);
const [command, about] = process.argv.slice(2);
if (command === 'refund') await refund(plataforma, store, about ?? '');
else if (command === 'reconcile') console.log(await reconcile(plataforma, store, about));
else {
  (await createShop(plataforma, store, PUBLIC_URL)).listen(Number(PORT), HOST);
  console.log(`The shop is at ${PUBLIC_URL}. In another terminal: reconcile, refund ORDER`);
}
