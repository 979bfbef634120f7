import type { Migration } from '@plataforma/data';

/**
 * A callback may be about anything that has happened, and keeps the bytes that say so: the news stays what it was
 * when the thing happened, whatever happens next. Those still to be sent for payments are written out here.
 */
export const news: Migration = {
  name: '005_news',
  sql: `
    ALTER TABLE callbacks
      DROP CONSTRAINT callbacks_pkey,
      DROP CONSTRAINT callbacks_end_to_end_id_fkey,
      ADD COLUMN kind text NOT NULL DEFAULT 'PAYMENT'
        CHECK (kind IN ('PAYMENT', 'REFUND', 'INFRACTION', 'PAYOUT', 'CARD')),
      ADD COLUMN client_id text,
      ADD COLUMN body text;
    ALTER TABLE callbacks RENAME COLUMN end_to_end_id TO subject;

    UPDATE callbacks
    SET client_id = payments.client_id,
      body = json_build_object('pix', json_build_array(json_build_object(
        'endToEndId', payments.end_to_end_id,
        'txid', payments.txid,
        'valor', to_char(payments.amount_cents / 100.0, 'FM9999999990.00'),
        'chave', payments.pix_key,
        'horario', to_char(payments.paid_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'infoPagador', 'Pagamento de teste')))::text
    FROM payments
    WHERE payments.end_to_end_id = callbacks.subject;

    ALTER TABLE callbacks
      ALTER COLUMN kind DROP DEFAULT,
      ALTER COLUMN client_id SET NOT NULL,
      ALTER COLUMN body SET NOT NULL,
      ADD PRIMARY KEY (kind, subject);
  `,
};
