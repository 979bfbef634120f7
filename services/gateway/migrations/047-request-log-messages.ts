import type { Migration } from '@plataforma/data';

export const requestLogMessages: Migration = {
  name: '047_request_log_messages',
  sql: `
    -- The message of a refusal, without documents and secrets.
    ALTER TABLE request_log ADD COLUMN error_message text;
  `,
};
