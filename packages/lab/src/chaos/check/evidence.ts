import type { ServiceName, Truth } from '@plataforma/testing';
import pg from 'pg';
import type { Call } from '../history.ts';
import type { Letter } from '../network/post-office.ts';
import type { Period } from '../world/world.ts';
import { type Finding, violation } from './finding.ts';

/** A connection to each service's database, as the owner of its tables. */
export type Databases = Readonly<Record<ServiceName, pg.Client>>;

export interface Received {
  /** The path of its URL. Each webhook configuration has its own. */
  configurationPath: string;
  id: string;
  signature: string | null;
  /**
   * Whether a secret of its merchant made the signature. A signature of Standard Webhooks must be right, too,
   * if present.
   */
  readonly isSigned: boolean;
  body: Buffer;
  /** The time of its complete arrival, in milliseconds of the epoch. */
  at: number;
  /** The status of the response. Null: there was none, or it was incomplete. */
  status: number | null;
}

/** The data of a run after all work has ended. */
export interface Evidence {
  databases: Databases;
  /** The provider's records. */
  truth: Truth;
  calls: readonly Call[];
  /** The webhooks at all merchants' servers, in the order of arrival. */
  received: readonly Received[];
  /** Ids of events that the run has made invalid. */
  poison: ReadonlySet<string>;
  /** The provider's callbacks, including forged ones; none when absent. */
  letters?: readonly Letter[];
  /** The number of faults that may interrupt a process; none when absent. */
  interruptions?: number;
  /**
   * The periods in which the provider refused all orders that move money, without a record of them; none when
   * absent.
   */
  refusals?: readonly Period[];
  /**
   * Withdrawals that were paid out while their wallet had more than its entries add up to; none when absent.
   */
  leftUnproven?: ReadonlySet<string>;
  /**
   * The time until which replicas of an older release ran, in milliseconds of the epoch. Absent without such
   * replicas.
   */
  olderUntil?: number | undefined;
}

const INT8 = 20;
/** Reads cents and counts as numbers, because all of them are safe integers. */
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

/** The number of findings after which a rule stops. */
const ENOUGH = 20;

/** Runs the rules on one database. Each query returns a row for each violation, with a column `what`. */
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
