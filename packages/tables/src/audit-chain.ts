/** Changes with the form of the text below, which must then be told by it. */
const FORM = 1;

/** SHA-256 of all that a row of the audit log says and of the hash before it; `row` is what it is called in the statement. */
export function auditHashOf(row: string): string {
  const fields = ['id', 'operator_id', 'action', 'subject_id', 'before', 'after', 'reason'];
  const said = fields.map((field) => `${row}.${field}`).join(', ');
  const place = `${row}.sequence, encode(${row}.previous_hash, 'hex')`;
  const microseconds = `(extract(epoch FROM ${row}.at) * 1000000)::bigint`;
  const text = `jsonb_build_array(${FORM}, ${place}, ${microseconds}, ${said})::text`;
  return `sha256(convert_to(${text}, 'UTF8'))`;
}
