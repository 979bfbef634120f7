import type { Migration } from '@plataforma/data';

export const standingSteps: Migration = {
  name: '010_standing_steps',
  sql: `
    -- The steps of domain/organization.ts, once more: nothing else leads from one status to another.
    CREATE FUNCTION refuse_impossible_standing() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF (OLD.status, NEW.status) IN (('PENDING', 'APPROVED'), ('PENDING', 'REJECTED'),
        ('APPROVED', 'SUSPENDED'), ('SUSPENDED', 'APPROVED'), ('REJECTED', 'PENDING')) THEN
        RETURN NEW;
      END IF;
      RAISE EXCEPTION 'no step leads from % to %', OLD.status, NEW.status USING ERRCODE = 'check_violation';
    END $$;
    CREATE TRIGGER organizations_standing BEFORE UPDATE OF status ON organizations
      FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION refuse_impossible_standing();
  `,
};
