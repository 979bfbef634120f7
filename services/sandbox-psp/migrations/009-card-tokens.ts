import type { Migration } from '@plataforma/data';

/** Of a card only what is printed on receipts is kept, and how its payment will end. */
export const cardTokens: Migration = {
  name: '009_card_tokens',
  sql: `
    CREATE TABLE card_tokens (
      token_id   text PRIMARY KEY,
      client_id  text NOT NULL,
      card_id    text NOT NULL,
      brand      text NOT NULL,
      first_six  text NOT NULL CHECK (first_six ~ '^[0-9]{6}$'),
      last_four  text NOT NULL CHECK (last_four ~ '^[0-9]{4}$'),
      outcome    text NOT NULL CHECK (outcome IN ('APPROVED', 'INSUFFICIENT_FUNDS', 'EXPIRED_CARD',
                   'SUSPECTED_FRAUD', 'LATE_APPROVED', 'LATE_DECLINED')),
      created_at timestamptz(3) NOT NULL,
      ends_at    timestamptz(3) NOT NULL CHECK (ends_at > created_at),
      used_at    timestamptz(3)
    ) WITH (fillfactor = 80);
  `,
};
