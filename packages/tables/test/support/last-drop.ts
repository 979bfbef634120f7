import type { Database } from '@plataforma/data';

/** Records in the table's comment that a partition of `facts` was dropped `hoursAgo` hours ago. */
export async function recordDrop(
  owner: Database,
  { hoursAgo, name = 'facts_190001' }: { hoursAgo: number; name?: string },
): Promise<void> {
  const at = new Date(Date.now() - hoursAgo * 3_600_000).toISOString().replace(/\.\d+/, '');
  await owner.queryUnprepared(`COMMENT ON TABLE facts IS 'dropped ${name} at ${at}'`, []);
}

/**
 * Moves the recorded time of the last drop of `facts` back by these hours. Does nothing if no drop is
 * recorded.
 */
export async function hoursPass(owner: Database, hours: number): Promise<void> {
  const [drop] = await owner.query<{ comment: string | null }>(
    "SELECT obj_description('facts'::regclass, 'pg_class') AS comment",
  );
  const [, name, at] = /^dropped (\w+) at (\S+)$/.exec(drop?.comment ?? '') ?? [];
  if (name && at)
    await recordDrop(owner, { name, hoursAgo: (Date.now() - Date.parse(at)) / 3_600_000 + hours });
}
