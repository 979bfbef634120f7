import type { Migration } from '@plataforma/data';

export const acceptedTerms: Migration = {
  name: '047_accepted_terms',
  sql: `
    -- The terms that the first user of an account accepted at the registration.
    CREATE TABLE accepted_terms (
      organization_id uuid PRIMARY KEY REFERENCES organizations (id),
      user_id         uuid NOT NULL REFERENCES users (id),
      url             text NOT NULL,
      at              timestamptz NOT NULL
    );
    CREATE TRIGGER accepted_terms_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON accepted_terms
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
  `,
};
