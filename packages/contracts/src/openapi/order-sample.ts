/** How a receiver keeps the newest of each object, whatever order events come in; the guide shows it, a test runs it. */
export const orderSample = `INSERT INTO objects (id, sequence, status) VALUES ($1, $2, $3)
ON CONFLICT (id) DO UPDATE SET sequence = excluded.sequence, status = excluded.status
WHERE objects.sequence < excluded.sequence
RETURNING id`;
