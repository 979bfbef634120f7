import type { Migration } from '@plataforma/data';

/** The form in which texts are searched, as `plainOf` of the contracts returns it. */
export const plainText: Migration = {
  name: 'plain_text',
  sql: `
    CREATE FUNCTION plain_text(words text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
      $$ SELECT lower(regexp_replace(normalize(words, NFD), '[\u0300-\u036f]', '', 'g')) $$;
  `,
};
