import { createHash } from 'node:crypto';
import type { ServiceName, Truth } from '@plataforma/testing';
import pg from 'pg';
import type { Call } from '../history.ts';
import type { Letter } from '../network/post-office.ts';
import type { InsidersOfRun, Period } from '../world/world.ts';
import { type Finding, violation } from './finding.ts';

/** A connection to the database of each service, with the role that owns the tables. */
export type Databases = Readonly<Record<ServiceName, pg.Client>>;

export interface Received {
  /** The path of the webhook's URL. Each webhook of a run has a path of its own. */
  configurationPath: string;
  id: string;
  signature: string | null;
  /**
   * True if one of the merchant's secrets made the signature. If the request has a Standard Webhooks
   * signature, that signature must be right too.
   */
  readonly isSigned: boolean;
  body: Buffer;
  /** The time at which the request had arrived completely, in milliseconds since 1970. */
  at: number;
  /** The HTTP status of the server's response, or null if the server sent no complete response. */
  status: number | null;
}

/** The data that the checks compare, read after all work of a run has ended. */
export interface Evidence {
  databases: Databases;
  /** The records of the bank and of the acquirer, which the platform must agree with. */
  truth: Truth;
  calls: readonly Call[];
  /** The webhooks that all merchants' servers have received, in the order of arrival. */
  received: readonly Received[];
  /** The ids of events that the run has made invalid on purpose. */
  poison: ReadonlySet<string>;
  /** The callbacks of the provider, including forged ones. Without a value, no callback is checked. */
  letters?: readonly Letter[];
  /** How often faults may have interrupted the processes of one service. Without a value it is zero. */
  interruptions?: number;
  /**
   * The periods in which the provider refused every order that moves money, and recorded none of these
   * orders.
   */
  refusals?: readonly Period[];
  /**
   * The ids of withdrawals that were sent to the provider although the balance of their wallet was higher
   * than the sum of its entries.
   */
  leftUnproven?: ReadonlySet<string>;
  /** The harm of insiders, and the rows that they have left in the books. */
  insiders?: InsidersOfRun;
  /**
   * The time until which replicas of an older release ran, in milliseconds since 1970. Absent if no such
   * replica ran.
   */
  olderUntil?: number | undefined;
}

const INT8 = 20;
/** Parses 64-bit integers as numbers. Cents and counts in a run are small enough for that. */
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

/**
 * Returns the rows of a query. PostgreSQL plans a query with a name once for each connection, and planning
 * takes longer than execution here.
 */
export async function rowsOf<Row extends pg.QueryResultRow>(client: pg.Client, text: string): Promise<Row[]> {
  const name = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return (await client.query<Row>({ name, text })).rows;
}

/** The maximum number of findings that one rule reports. */
const ENOUGH = 20;

/**
 * Runs the rules on one database. The query of a rule returns one row for each violation, with a column
 * `what`.
 */
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
