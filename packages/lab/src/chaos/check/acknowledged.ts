import { type Acknowledged, acknowledged, nameOfCall } from './calls.ts';
import { type Databases, type Evidence, rowsOf } from './evidence.ts';
import { type Finding, lost } from './finding.ts';
import { olderRefunds } from './older-refunds.ts';
import { tables } from './promised-tables.ts';
import { type Promised, promises, proposed, type Row } from './promises.ts';

/**
 * Invariant 9. Checks that the data of each 2xx response is still stored: the same values, in the same state
 * or a later one.
 */
export async function checkAcknowledged(evidence: Evidence): Promise<Finding[]> {
  const { databases, calls } = evidence;
  const now = await readAll(databases);
  for (const { charge } of await olderRefunds(evidence)) {
    for (const row of now.refunds.get(charge) ?? []) row.isDone = true;
  }
  return acknowledged(calls).flatMap((ack) => {
    const { call, data, list } = ack;
    const isProposal = call.status === 202 && data.status === 'PROPOSED';
    const promise = isProposal
      ? proposed
      : promises.find(({ method, path }) => method === call.method && path.test(call.path));
    if (!promise) return [];
    const each = call.method === 'GET' && list.length > 0 ? list : [data];
    return each.flatMap((one) => compare(promise, { ...ack, data: one }, now[promise.table]));
  });
}

function compare(promise: Promised, ack: Acknowledged, now: ReadonlyMap<string, Row[]>): Finding[] {
  const { call, data } = ack;
  const id = String(promise.path.exec(call.path)?.[1] ?? promise.idOf?.(ack) ?? data.id);
  // The response contains no id because it is an empty list, or because no charge was found.
  if (call.method === 'GET' && data.id === undefined) return [];
  const rows = now.get(id) ?? [];
  if (rows.some((row) => promise.isKept(row, ack))) return [];
  const found = rows.length === 0 ? 'is not there' : `is ${JSON.stringify(rows)}`;
  return [lost(9, `${nameOfCall(call)} was answered ${call.status}, and of ${promise.table} ${id} ${found}`)];
}

async function readAll({ charges, withdrawals, webhooks, gateway, ledger }: Databases) {
  const read = async (client: Databases['charges'], table: keyof typeof tables) =>
    Map.groupBy(await rowsOf<Row>(client, tables[table]), ({ id }) => String(id));
  const withProposals = [gateway, ledger, charges, withdrawals];
  const proposals = await Promise.all(withProposals.map((client) => read(client, 'proposals')));
  return {
    proposals: new Map(proposals.flatMap((each) => [...each])),
    charges: await read(charges, 'charges'),
    refunds: await read(charges, 'refunds'),
    disputes: await read(charges, 'disputes'),
    files: await read(charges, 'files'),
    visits: await read(charges, 'visits'),
    withdrawals: await read(withdrawals, 'withdrawals'),
    destinations: await read(withdrawals, 'destinations'),
    configurations: await read(webhooks, 'configurations'),
    deliveries: await read(webhooks, 'deliveries'),
    keys: await read(gateway, 'keys'),
    operators: await read(gateway, 'operators'),
    users: await read(gateway, 'users'),
    rows: await read(ledger, 'rows'),
    changes: await read(ledger, 'changes'),
  };
}
