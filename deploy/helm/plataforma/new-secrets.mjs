// Creates the Secrets that the chart refers to, with new keys and passwords, and the SQL that creates the
// databases. Only their owner can read the files, because they are secret. README.md explains the usage.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    out: { type: 'string' },
    'operator-email': { type: 'string' },
    postgresql: { type: 'string' },
    rabbitmq: { type: 'string' },
    sandbox: { type: 'boolean', default: false },
    name: { type: 'string', default: 'plataforma' },
    prefix: { type: 'string', default: '' },
  },
});
const { out, name, prefix, postgresql, rabbitmq } = options;
const operatorEmail = options['operator-email'];
if (!out || !operatorEmail) {
  process.stderr.write(`node new-secrets.mjs --out FOLDER --operator-email ADDRESS
  [--postgresql HOST:PORT]  the server of all databases; without it they are CloudNativePG's
  [--rabbitmq AMQP-URL]     the broker, without a login; without it it is its operator's
  [--sandbox]               also for the sandbox-psp, and its accounts for charges and withdrawals
  [--name plataforma]       what the Secrets' names begin with
  [--prefix TEXT]           what the databases' names begin with\n`);
  process.exit(1);
}

const broker = URL.parse(rabbitmq ?? `amqps://${name}-rabbitmq:5671`);
if (broker?.username !== '') {
  process.stderr.write(
    '--rabbitmq: the address alone, such as amqps://broker.example.com:5671; each service gets a login\n',
  );
  process.exit(1);
}

const random = () => randomBytes(24).toString('base64url');
const sealingKeys = () => `k1:${randomBytes(32).toString('base64')}`;
const producers = ['gateway', 'charges', 'withdrawals', 'ledger', 'webhooks'];
const signers = Object.fromEntries(producers.map((each) => [each, newSigner()]));
const trust = (...names) =>
  JSON.stringify(Object.fromEntries(names.map((each) => [each, signers[each].publicKey])));

/** A service accepts events of all other producers, because it stores the heads of all their hash chains. */
const eventKeysFor = (service) => trust(...producers.filter((each) => each !== service));

function newSigner() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  };
}

const callbackSecret = random();
const secrets = {
  gateway: {
    ROW_KEYS: sealingKeys(),
    SERVICE_KEY: signers.gateway.privateKey,
    TRUSTED_KEYS: trust('charges', 'withdrawals', 'ledger'),
    EVENT_KEYS: eventKeysFor('gateway'),
    SEALING_KEYS: sealingKeys(),
    OPERATOR_EMAIL: operatorEmail,
    OPERATOR_PASSWORD: random(),
  },
  charges: {
    ROW_KEYS: sealingKeys(),
    SERVICE_KEY: signers.charges.privateKey,
    TRUSTED_KEYS: trust('gateway', 'withdrawals'),
    EVENT_KEYS: eventKeysFor('charges'),
    SEALING_KEYS: sealingKeys(),
    PIX_CALLBACK_SECRET: callbackSecret,
  },
  withdrawals: {
    ROW_KEYS: sealingKeys(),
    SERVICE_KEY: signers.withdrawals.privateKey,
    TRUSTED_KEYS: trust('gateway'),
    EVENT_KEYS: eventKeysFor('withdrawals'),
    PAYOUT_CALLBACK_SECRET: callbackSecret,
  },
  ledger: {
    ROW_KEYS: sealingKeys(),
    SERVICE_KEY: signers.ledger.privateKey,
    TRUSTED_KEYS: trust('gateway', 'charges', 'withdrawals'),
    EVENT_KEYS: eventKeysFor('ledger'),
  },
  webhooks: {
    ROW_KEYS: sealingKeys(),
    SERVICE_KEY: signers.webhooks.privateKey,
    TRUSTED_KEYS: trust('gateway', 'charges', 'withdrawals', 'ledger'),
    EVENT_KEYS: eventKeysFor('webhooks'),
    WEBHOOK_SECRET_KEYS: sealingKeys(),
  },
  web: {
    SEALING_KEYS: sealingKeys(),
    EVENT_KEYS: trust('gateway', 'charges', 'withdrawals', 'ledger'),
  },
};

/** The services without a database. */
const stateless = ['web'];

if (options.sandbox) addSandbox();

function addSandbox() {
  const account = { id: 'sandbox', secret: random(), pixKey: 'sandbox@plataforma.example' };
  const cards = { publicKey: 'pk_sandbox', secretKey: random() };
  const callbacks = `http://${name}-gateway:8080/callbacks`;
  const pix = (prefixOfAll) => ({
    [`${prefixOfAll}_CLIENT_ID`]: account.id,
    [`${prefixOfAll}_CLIENT_SECRET`]: account.secret,
    [`${prefixOfAll}_KEY`]: account.pixKey,
  });
  Object.assign(secrets.charges, pix('PIX_SANDBOX'), {
    CARD_SANDBOX_SECRET_KEY: cards.secretKey,
    CARD_SANDBOX_PUBLIC_KEY: cards.publicKey,
  });
  Object.assign(secrets.withdrawals, pix('PAYOUT_SANDBOX'));
  const client = {
    ...account,
    callbackUrl: `${callbacks}/pix/${callbackSecret}`,
    payoutCallbackUrl: `${callbacks}/payouts/${callbackSecret}`,
    cards: { ...cards, callbackUrl: `${callbacks}/acquirer/${callbackSecret}` },
  };
  secrets['sandbox-psp'] = { CLIENTS: JSON.stringify([client]) };
}

/** The permissions of each service at the broker, and its exchanges and queues. */
const plan = JSON.parse(readFileSync(new URL('files/broker.json', import.meta.url), 'utf8'));
const logins = Object.fromEntries(Object.keys(plan.users).map((user) => [user, random()]));

function brokerUrlOf(user) {
  return Object.assign(new URL(broker), { username: user, password: logins[user] }).href;
}

/** For RabbitMQ's `load_definitions`, or `rabbitmqctl import_definitions`. */
function brokerDefinitions() {
  const users = Object.entries(plan.users);
  const vhost = decodeURIComponent(broker.pathname.slice(1)) || '/';
  const inVhost = (things) => things.map((thing) => ({ ...thing, vhost }));
  return JSON.stringify({
    users: users.map(([user, { limits }]) => ({ name: user, password: logins[user], tags: '', limits })),
    vhosts: [{ name: vhost }],
    permissions: users.map(([user, { configure, write, read }]) => ({ user, vhost, configure, write, read })),
    topic_permissions: users.flatMap(([user, { topics }]) =>
      topics.map((topic) => ({ user, vhost, ...topic })),
    ),
    ...Object.fromEntries(Object.entries(plan.topology).map(([kind, things]) => [kind, inVhost(things)])),
  });
}

const items = [];
const sql = [];
for (const [service, own] of Object.entries(secrets)) {
  if (!stateless.includes(service)) addDatabase(service, own);
  if (plan.users[service]) own.AMQP_URL = brokerUrlOf(service);
  items.push(secret(`${name}-${service}`, own));
}

/**
 * Adds two roles of a database, and their URLs to the Secret. With CloudNativePG it adds a Secret with the
 * password of the application's role instead.
 */
function addDatabase(service, own) {
  const database = `${prefix}${service.replaceAll('-', '_')}`;
  const [owner, application] = [database, `${database}_app`];
  const [ownerPassword, password] = [random(), random()];
  if (postgresql) {
    own.DATABASE_URL = `postgresql://${application}:${password}@${postgresql}/${database}`;
    own.MIGRATION_DATABASE_URL = `postgresql://${owner}:${ownerPassword}@${postgresql}/${database}`;
    sql.push(
      `CREATE ROLE "${owner}" LOGIN PASSWORD '${ownerPassword}';`,
      `CREATE ROLE "${application}" LOGIN PASSWORD '${password}';`,
      `CREATE DATABASE "${database}" OWNER "${owner}";`,
      `REVOKE ALL ON DATABASE "${database}" FROM PUBLIC;`,
      `GRANT CONNECT ON DATABASE "${database}" TO "${application}";`,
    );
  } else {
    const role = { username: application, password };
    const labels = { 'cnpg.io/reload': 'true' };
    items.push({ ...secret(`${name}-${service}-role`, role, labels), type: 'kubernetes.io/basic-auth' });
  }
}

const definitions = brokerDefinitions();
if (!rabbitmq) items.push(secret(`${name}-broker`, { 'definitions.json': definitions }));

function secret(of, stringData, labels = {}) {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: of, labels }, type: 'Opaque', stringData };
}

mkdirSync(out, { recursive: true, mode: 0o700 });
const write = (file, text) => writeFileSync(join(out, file), text, { mode: 0o600, flag: 'wx' });
write('secrets.json', `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 2)}\n`);
if (rabbitmq) write('broker-definitions.json', `${definitions}\n`);
if (postgresql) write('databases.sql', `${sql.join('\n')}\n`);
process.stdout.write(
  `Written to ${out}. Keep a copy where secrets are kept: sealed data can't be read without its key.\n`,
);
