import type { Database } from '@plataforma/data';

/** As if a partition of the facts had been dropped so long ago by the database's clock. */
export async function recordDrop(
  owner: Database,
  { hoursAgo, name = 'facts_190001' }: { hoursAgo: number; name?: string },
): Promise<void> {
  const at = new Date(Date.now() - hoursAgo * 3_600_000).toISOString().replace(/\.\d+/, '');
  await owner.queryUnprepared(`COMMENT ON TABLE facts IS 'dropped ${name} at ${at}'`, []);
}

/** By the database's clock, since a partition of the facts was dropped; nothing, where none was. */
export async function hoursPass(owner: Database, hours: number): Promise<void> {
  const [drop] = await owner.query<{ note: string | null }>(
    "SELECT obj_description('facts'::regclass, 'pg_class') AS note",
  );
  const [, name, at] = /^dropped (\w+) at (\S+)$/.exec(drop?.note ?? '') ?? [];
  if (name && at)
    await recordDrop(owner, { name, hoursAgo: (Date.now() - Date.parse(at)) / 3_600_000 + hours });
}
