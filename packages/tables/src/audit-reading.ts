import type { AuditQuery, AuditRowView, ChainVerification } from '@plataforma/contracts';
import { columnsOf, composeSql, type Page, type Queryable, readPage, selected } from '@plataforma/data';

const COLUMNS = [
  ...columnsOf('id, sequence, at, operator_id, action, subject_id, before, after, reason'),
  "encode(hash, 'hex') AS hash",
];

type AuditRow = Omit<AuditRowView, 'at'> & { at: Date };

/** Reads one page of the operators' changes, newest first. */
export async function listAudit(
  db: Queryable,
  { page, limit, after, ...filters }: AuditQuery,
): Promise<Page<AuditRowView>> {
  const itemOf = ({ at, ...row }: AuditRow): AuditRowView => ({ ...row, at: at.toISOString() });
  const matching = matchingRows(filters).select(selected(COLUMNS));
  return readPage(db, { matching, itemOf, newestBy: ['sequence'] }, { page, limit, after });
}

function matchingRows(filters: Omit<AuditQuery, 'page' | 'limit' | 'after'>) {
  const { operatorId, action, subjectId, startDate, endDate } = filters;
  return composeSql('audit_log').where((where) => {
    if (operatorId !== undefined) where.andWhere('operator_id', operatorId);
    if (action !== undefined) where.andWhere('action', action);
    if (subjectId !== undefined) where.andWhere('subject_id', subjectId);
    if (startDate !== undefined) where.andWhere('at', '>=', startDate);
    if (endDate !== undefined) where.andWhere('at', '<', endDate);
  });
}

interface Portion {
  rows: number;
  broken: number | null;
  last: number | null;
  hash: string | null;
}

interface ChainTable {
  /** The table. Each row has a sequence (1, 2, 3 …), the hash of the previous row, and its own hash. */
  table: string;
  /**
   * SQL that computes the correct hash of a row. It calls no function stored in the database, because an
   * attacker could replace that function.
   */
  hash: string;
}

type Verify = (
  db: Queryable,
  from: { after?: string | undefined; limit: number },
) => Promise<ChainVerification>;

/**
 * Creates a function that verifies the next `limit` rows of a chain. It begins after the row `after`, at
 * which an earlier answer ended, or at the first row.
 */
export function chainVerifier({ table, hash: due }: ChainTable): Verify {
  const VERIFY = `
  WITH portion AS (
    SELECT sequence, previous_hash, hash, ${due} AS computed
    FROM ${table} WHERE sequence > $1 ORDER BY sequence LIMIT $3),
  linked AS (
    SELECT sequence, hash,
      lag(sequence, 1, $1) OVER places + 1 AS due,
      computed = hash AND previous_hash IS NOT DISTINCT FROM lag(hash, 1, decode($2,
      'hex')) OVER places AS fits
    FROM portion WINDOW places AS (ORDER BY sequence))
  SELECT count(*) AS rows,
    min(CASE WHEN sequence <> due THEN due WHEN NOT fits THEN sequence END) AS broken,
    max(sequence) AS last,
    encode((SELECT hash FROM portion ORDER BY sequence DESC LIMIT 1), 'hex') AS hash
  FROM linked`;
  const HASH_AT = `SELECT encode(hash, 'hex') AS hash FROM ${table} WHERE sequence = $1`;

  return async (db, { after, limit }) => {
    const [at, hash = null] = after?.split(':') ?? [];
    const from = Number(at ?? 0);
    if (hash !== null) {
      const [row] = await db.query<{ hash: string }>(HASH_AT, [from]);
      if (row?.hash !== hash)
        return { isIntact: false, rows: 0, firstBrokenSequence: from, last: null, next: null };
    }
    const [portion] = await db.queryUnprepared<Portion>(VERIFY, [from, hash, limit]);
    if (!portion) throw new Error('an aggregate has one row');
    const { rows, broken } = portion;
    const last = portion.last === null ? (after ?? null) : `${portion.last}:${portion.hash}`;
    return {
      isIntact: broken === null,
      rows,
      firstBrokenSequence: broken,
      last,
      next: rows < limit ? null : last,
    };
  };
}

/**
 * The version of the text that is hashed. It must change when the format of the text changes, so that texts
 * of two formats never have the same hash.
 */
const FORM = 1;

/**
 * Returns the SQL that computes one SHA-256 over an audit row and the previous row's hash. `row` is the name
 * of the audit row in the SQL.
 */
export function auditHashOf(row: string): string {
  const fields = ['id', 'operator_id', 'action', 'subject_id', 'before', 'after', 'reason'];
  const said = fields.map((field) => `${row}.${field}`).join(', ');
  const link = `${row}.sequence, encode(${row}.previous_hash, 'hex')`;
  const microseconds = `(extract(epoch FROM ${row}.at) * 1000000)::bigint`;
  const text = `jsonb_build_array(${FORM}, ${link}, ${microseconds}, ${said})::text`;
  return `sha256(convert_to(${text}, 'UTF8'))`;
}

export const verifyAudit = chainVerifier({ table: 'audit_log', hash: auditHashOf('audit_log') });
