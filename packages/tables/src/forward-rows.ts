import type { Migration } from '@plataforma/data';

/**
 * The trigger functions of `forwardSql`. They permit every change by the owner of a table, who repairs rows.
 * The arguments of `refuse_going_back` list the statuses of each rank; all other statuses are final.
 */
export const FORWARD_FUNCTIONS = `
  CREATE FUNCTION may_repair(repaired oid) RETURNS boolean LANGUAGE sql STABLE AS
    'SELECT pg_has_role(relowner, ''USAGE'') FROM pg_class WHERE oid = repaired';
  CREATE FUNCTION refuse_going_back() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    before integer;
    after integer := TG_NARGS;
  BEGIN
    FOR rank IN 0 .. TG_NARGS - 1 LOOP
      IF OLD.status = ANY (string_to_array(TG_ARGV[rank], ' ')) THEN before := rank; END IF;
      IF NEW.status = ANY (string_to_array(TG_ARGV[rank], ' ')) THEN after := rank; END IF;
    END LOOP;
    IF OLD.id = NEW.id AND after >= before OR may_repair(TG_RELID) THEN RETURN NEW; END IF;
    RAISE EXCEPTION 'a row of % that is % does not become %', TG_TABLE_NAME, OLD.status, NEW.status
      USING ERRCODE = 'insufficient_privilege';
  END $$;
  CREATE FUNCTION refuse_loss() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF may_repair(TG_RELID) THEN RETURN OLD; END IF;
    RAISE EXCEPTION 'the rows of % stay as they are', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
  END $$;`;

/**
 * Returns SQL that prevents the service's role from deleting a row or setting it back to an earlier status.
 * An older row has a valid seal, so the service would act on it a second time. `ranks` lists the statuses in
 * order; statuses in one text, separated by spaces, may follow each other in both directions. All other
 * statuses are final. Needs `sealedResponses`.
 */
export function forwardSql(table: string, ranks: readonly string[]): string {
  const names = ranks.map((statuses) => `'${statuses}'`);
  return `
    CREATE TRIGGER ${table}_forward BEFORE UPDATE ON ${table} FOR EACH ROW
      WHEN (OLD.status <> NEW.status OR OLD.id <> NEW.id) EXECUTE FUNCTION refuse_going_back(${names});
    CREATE TRIGGER ${table}_stay BEFORE DELETE ON ${table}
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_loss();`;
}

/** Lets proposals only go forward. Needs `sealedResponses`. */
export const forwardProposals: Migration = {
  name: 'forward_proposals',
  sql: forwardSql('proposals', ['PROPOSED']),
};
