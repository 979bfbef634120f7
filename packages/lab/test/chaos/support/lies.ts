import { readFileSync } from 'node:fs';
import { expect } from '@jest/globals';
import type { ServiceName } from '@plataforma/testing';
import type pg from 'pg';
import type { Finding } from '../../../src/chaos/check/check.ts';

export interface Lie {
  invariants: number[];
  finds: RegExp[];
}

export interface DataLie extends Lie {
  service: ServiceName;
  sql: string[];
}

const HEAD = /^-- ([\w, -]+) \[([\d,]+)\] (.+)\n/;
const ALSO = /^-- also (.+)\n/gm;

/**
 * Reads the blocks of an SQL file in the parent folder. A block is returned once for each service that its
 * first line names.
 */
export function liesIn(file: string): (DataLie & { title: string })[] {
  const blocks = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
    .trim()
    .split('\n\n');
  return blocks.flatMap((block) => {
    const [, services, invariants, first] = HEAD.exec(block) ?? [];
    if (!services || !invariants || !first) return [];
    const finds = [first, ...[...block.matchAll(ALSO)].map(([, more]) => more ?? '')];
    const sql = block.replace(HEAD, '').replaceAll(ALSO, '').replace(/;$/, '').split(/;\n/);
    return services.split(', ').map((service) => ({
      title: `${service}: ${first}`,
      service: service as ServiceName,
      invariants: invariants.split(',').map(Number),
      finds: finds.map((text) => new RegExp(text)),
      sql,
    }));
  });
}

/** Changes the data with `sql`, calls `check`, and rolls the changes back. */
export async function lying(client: pg.Client, sql: readonly string[], check: () => Promise<void>) {
  await client.query('BEGIN');
  try {
    // Turns off the triggers, because those of the ledger would refuse the change.
    await client.query('SET LOCAL session_replication_role = replica');
    for (const statement of sql) {
      const { rowCount } = await client.query(statement);
      if (!/^ALTER|^DROP/.test(statement)) expect(rowCount).toBeGreaterThan(0);
    }
    await check();
  } finally {
    await client.query('ROLLBACK');
  }
}

/**
 * Turns off the triggers that would refuse a statement, runs the statement and turns the triggers on again.
 */
export async function unhindered(client: pg.Client, statement: string): Promise<void> {
  await client.query('SET session_replication_role = replica');
  await client.query(statement);
  await client.query('SET session_replication_role = DEFAULT');
}

/** Expects a finding with each of these texts, and no finding of another invariant. */
export function expectFound(findings: readonly Finding[], { invariants, finds }: Lie): void {
  expect(redOf(findings)).toEqual(invariants);
  const found = findings.map(({ what }) => what);
  for (const text of finds) expect(found).toContainEqual(expect.stringMatching(text));
}

export function redOf(findings: readonly { invariant: number }[]): number[] {
  return [...new Set(findings.map(({ invariant }) => invariant))].sort((left, right) => left - right);
}
