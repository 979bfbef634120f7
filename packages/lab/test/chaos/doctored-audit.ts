import type { ServiceName } from '@plataforma/testing';
import type { DoctoredData } from './doctored-data.ts';

/** No person has done it. */
const unaudited = (service: ServiceName, action: string) => ({
  service,
  sql: `DELETE FROM audit_log WHERE action = '${action}'`,
  invariants: [6],
});

/** What people have done, and an audit log that does not say so. */
export const doctoredAudit: DoctoredData[] = [
  {
    name: 'nobody has rejected a withdrawal',
    ...unaudited('withdrawals', 'withdrawal.reject'),
    finds: /^a rejected withdrawal that neither an operator rejected nor its merchant cancelled/,
  },
  {
    name: 'nobody has approved a withdrawal',
    ...unaudited('withdrawals', 'withdrawal.approve'),
    finds: /^an approval that is not in the audit log/,
  },
  {
    name: 'nobody has completed a TED',
    ...unaudited('withdrawals', 'withdrawal.complete'),
    finds: /^a TED that somebody ended, and nobody did/,
  },
  {
    name: 'nobody has failed a TED',
    ...unaudited('withdrawals', 'withdrawal.fail'),
    finds: /^a TED that somebody ended, and nobody did/,
  },
  {
    name: 'nobody has opened a dispute',
    ...unaudited('charges', 'dispute.open'),
    finds: /^a dispute that somebody opened, and nobody did/,
  },
  {
    name: 'nobody has decided a dispute',
    ...unaudited('charges', 'dispute.resolve'),
    finds: /^a dispute that somebody decided, and nobody did/,
  },
  {
    name: 'nobody has changed a wallet',
    ...unaudited('ledger', 'wallet.adjustment'),
    finds: /^a change of a wallet that nobody made/,
  },
  {
    name: 'two people have ended a withdrawal',
    service: 'withdrawals',
    sql: `UPDATE audit_log SET subject_id = (SELECT subject_id FROM audit_log WHERE action = 'withdrawal.complete')
      WHERE action = 'withdrawal.fail'`,
    invariants: [6],
    finds: /^an end that two people decided/,
  },
  {
    name: 'nobody stands for the approval of a merchant',
    ...unaudited('gateway', 'merchant.approve'),
    finds: /a merchant was let in, or sent away/,
  },
  {
    name: 'nobody stands for settings',
    ...unaudited('gateway', 'merchant.settings'),
    finds: /settings were changed/,
  },
  {
    name: 'nobody stands for an operator',
    ...unaudited('gateway', 'operator.create'),
    finds: /an operator whom nobody made/,
  },
  {
    name: 'nobody has taken an operator’s access',
    ...unaudited('gateway', 'operator.change'),
    finds: /^an operator whose access somebody took, and nobody did/,
  },
  {
    name: 'nobody has changed a password',
    ...unaudited('gateway', 'operator.change_password'),
    finds: /^a password was changed, and not as often as its operator did so/,
  },
  ...(['charges', 'withdrawals', 'ledger', 'webhooks'] as const).map((service) => ({
    name: `nobody has replayed a dead letter of ${service}`,
    service,
    sql: `INSERT INTO dead_letters (id, fingerprint, event_id, type, body, died_at, replayed_at)
      VALUES (gen_random_uuid(), 'f', gen_random_uuid(), 'charge.paid', '', now(), now())`,
    invariants: [6],
    finds: /^a dead letter that somebody replayed, and nobody did/,
  })),
];
