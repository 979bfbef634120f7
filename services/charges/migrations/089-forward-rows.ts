import type { Migration } from '@plataforma/data';
import { forwardSql } from '@plataforma/tables';

const appendOnly = (table: string) => `
  CREATE TRIGGER ${table}_append_only BEFORE UPDATE OR DELETE ON ${table}
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_loss();`;

/**
 * Prevents an intruder from deleting the record of a payment or setting a row back to an earlier status.
 * Otherwise money could go back to a payer after the charge was credited.
 */
export const forwardRows: Migration = {
  name: '089_forward_rows',
  sql: [
    forwardSql('charges', ['PENDING', 'PAID DISPUTED']),
    forwardSql('refunds', ['REQUESTED', 'DEBITED', 'ACCEPTED']),
    forwardSql('unexpected_payments', ['RETURNING']),
    forwardSql('disputes', ['OPEN', 'UNDER_REVIEW']),
    ...['payments', 'pix_numbers'].map(appendOnly),
  ].join('\n'),
};
