import { expect } from '@jest/globals';
import type pg from 'pg';
import type { Finding } from '../../../src/chaos/check/check.ts';
import type { DoctoredData } from '../doctored-data.ts';

/** The lie is gone when the look is over. */
export async function lying(
  client: pg.Client,
  sql: string | string[],
  look: () => Promise<void>,
): Promise<void> {
  await client.query('BEGIN');
  try {
    // Otherwise the books refuse what this does to them.
    await client.query('SET LOCAL session_replication_role = replica');
    for (const statement of [sql].flat()) {
      const { rowCount } = await client.query(statement);
      if (!/^ALTER|^DROP/.test(statement)) expect(rowCount).toBeGreaterThan(0);
    }
    await look();
  } finally {
    await client.query('ROLLBACK');
  }
}

/** Past the triggers that forbid it. */
export async function unhindered(client: pg.Client, statement: string): Promise<void> {
  await client.query('SET session_replication_role = replica');
  await client.query(statement);
  await client.query('SET session_replication_role = DEFAULT');
}

/** What it is about among them, and no other invariant broken than those. */
export function expectFound(
  findings: readonly Finding[],
  { invariants, finds }: Pick<DoctoredData, 'invariants' | 'finds'>,
) {
  expect(redOf(findings)).toEqual(invariants);
  const found = findings.map(({ what }) => what);
  for (const text of [finds].flat()) expect(found).toContainEqual(expect.stringMatching(text));
}

export function redOf(findings: readonly { invariant: number }[]): number[] {
  return [...new Set(findings.map(({ invariant }) => invariant))].sort((left, right) => left - right);
}
