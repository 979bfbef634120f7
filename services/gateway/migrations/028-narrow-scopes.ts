import type { Migration } from '@plataforma/data';

export const narrowScopes: Migration = {
  name: '028_narrow_scopes',
  sql: `
    ALTER TABLE api_keys
      -- Beside scopes: a replica of the release before believes in those alone, and so in less than the key may do.
      ADD COLUMN narrow_scopes text[] NOT NULL DEFAULT '{}',
      -- Of the keys that are there: made when charges:write or withdrawals:write was enough for it.
      ADD COLUMN rotates_webhook_secrets boolean NOT NULL DEFAULT true;
    ALTER TABLE api_keys ALTER COLUMN rotates_webhook_secrets SET DEFAULT false;
    -- What a key is rotated for may do what the key may, whichever release rotates it.
    CREATE FUNCTION inherit_key_scopes() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      former api_keys;
    BEGIN
      SELECT * INTO former FROM api_keys WHERE organization_id = NEW.organization_id AND replaced_by = NEW.id;
      IF FOUND THEN
        NEW.narrow_scopes := former.narrow_scopes;
        NEW.rotates_webhook_secrets := former.rotates_webhook_secrets;
      END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER api_keys_inherit BEFORE INSERT ON api_keys
      FOR EACH ROW EXECUTE FUNCTION inherit_key_scopes();
  `,
};
