import type { ServiceName, Truth } from '@plataforma/testing';
import pg from 'pg';
import type { Call } from '../history.ts';
import type { Letter } from '../network/post-office.ts';
import type { Period } from '../world/world.ts';
import { type Finding, violation } from './finding.ts';

/** A connection to each service's database, as the owner of its tables. */
export type Databases = Readonly<Record<ServiceName, pg.Client>>;

/** A webhook as it came to a shop. */
export interface Received {
  /** Of the URL that the shop has configured: each configuration has a path of its own. */
  configurationPath: string;
  /** Its `X-Webhook-Id`. */
  id: string;
  /** Its `X-Webhook-Signature`; null: it had none. */
  signature: string | null;
  /** With a secret that its merchant knows: also as Standard Webhooks requires, if it came with such a signature. */
  readonly isSigned: boolean;
  /** The bytes as they came. */
  body: Buffer;
  /** When all of it had come, in milliseconds of the epoch. */
  at: number;
  /** With which the shop answered; null: it did not, or not to the end. */
  status: number | null;
}

/** All that is known of a run, once everything has come to rest. */
export interface Evidence {
  databases: Databases;
  /** What the bank knows. */
  truth: Truth;
  /** What the clients saw. */
  calls: readonly Call[];
  /** By all shops, in the order in which it came. */
  received: readonly Received[];
  /** Events that can't be applied, because the run has made them so. */
  poison: ReadonlySet<string>;
  /** The bank's callbacks, and those that others have made up; none, when left out. */
  letters?: readonly Letter[];
  /** How often something was struck that may keep a process from what it was about; none, when left out. */
  interruptions?: number;
  /** When the bank refused all orders that move money, of which it keeps no record; never, when left out. */
  refusals?: readonly Period[];
  /** Withdrawals whose payout left while their wallet had more than its entries say; none, when left out. */
  leftUnproven?: ReadonlySet<string>;
  /** Until when replicas of an older release were at work, in milliseconds of the epoch; there were none, when left out. */
  olderUntil?: number | undefined;
}

const INT8 = 20;
/** Cents and counts are read as numbers: none is beyond what a number holds. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)),
};

export async function openDatabases(
  urls: Readonly<Record<ServiceName, string>>,
): Promise<Databases & AsyncDisposable> {
  const open: pg.Client[] = [];
  const connect = async (name: ServiceName) => {
    const client = new pg.Client({ connectionString: urls[name], types });
    await client.connect();
    open.push(client);
    return client;
  };
  return {
    gateway: await connect('gateway'),
    charges: await connect('charges'),
    withdrawals: await connect('withdrawals'),
    ledger: await connect('ledger'),
    webhooks: await connect('webhooks'),
    'sandbox-psp': await connect('sandbox-psp'),
    async [Symbol.asyncDispose]() {
      for (const client of open) await client.end();
    },
  };
}

export async function rowsOf<Row extends pg.QueryResultRow>(client: pg.Client, sql: string): Promise<Row[]> {
  return (await client.query<Row>(sql)).rows;
}

/** Where one rule is broken often, so many say enough. */
const ENOUGH = 20;

/** Rules of one database: each query tells, in a column `what`, of everything that must not be. */
export async function brokenRules(
  client: pg.Client,
  invariant: Finding['invariant'],
  rules: Readonly<Record<string, string>>,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [name, sql] of Object.entries(rules)) {
    const found = await rowsOf<{ what: string }>(
      client,
      `SELECT what FROM (${sql}) AS found LIMIT ${ENOUGH}`,
    );
    findings.push(...found.map(({ what }) => violation(invariant, `${name}: ${what}`)));
  }
  return findings;
}
