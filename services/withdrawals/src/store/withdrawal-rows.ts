import type { PixKeyType } from '@plataforma/brcode';
import type { FailureReason } from '@plataforma/contracts';
import { columnsOf, fieldsOf, type Queryable, type SealedTable, valuesIn } from '@plataforma/data';
import { requireTrusted, type SealedRows, sealOf } from '@plataforma/tables';
import { z } from 'zod';
import type { Payee } from '../domain/destination.ts';
import { methodOf, type Withdrawal } from '../domain/withdrawal.ts';

/** Lists the columns explicitly. With `*` a new column of a later release would break prepared statements. */
export const WITHDRAWAL_COLUMNS = columnsOf(`
  id, merchant_id, environment, external_id, amount_cents AS amount, fee_cents AS fee, net_cents AS netAmount,
  status,
  method, pix_key, pix_key_type, bank_account, destination_id, source, can_be_asked_for AS isRepeatable,
  has_new_payee, created_at, order_token, order_body,
  approvals_needed, approval_reason, first_approver, second_approver, first_approval, second_approval,
  payable_from, started_at,
  ordered_from AS payingPixKey, accepted_at,
  doubt_reason AS unconfirmedReason, doubted_at AS unconfirmedSince, provider_tx_id, payee_name,
  payee_document, failure_reason,
  failure_detail, rejected_reason, ended_at, sequence, checks AS attempts, next_check_at AS dueAt,
  lease_token, lease_until, seal`);

/** The fields with which the scheduler plans its work. They do not move money and have no seal. */
const UNSEALED = ['id', 'attempts', 'dueAt', 'leaseToken', 'leaseUntil', 'seal'];

const sealedWithdrawals: SealedTable = {
  name: 'withdrawals',
  fields: fieldsOf(WITHDRAWAL_COLUMNS).filter((field) => !UNSEALED.includes(field)),
};
/** The withdrawals, for a command that seals existing rows. */
export const withdrawalsToSeal: SealedRows = {
  table: sealedWithdrawals,
  ...{ key: 'id', keyType: 'uuid', columns: WITHDRAWAL_COLUMNS },
  rowOf: (row: WithdrawalRow) => rowOf(withdrawalOf(row)),
};

/** Throws INVALID_STATE if the stored withdrawal has no valid seal, so that the caller moves no money. */
export function requireSeal(db: Queryable, withdrawal: Withdrawal): void {
  requireTrusted(db, sealedWithdrawals, rowOf(withdrawal));
}

export type WithdrawalRow = Omit<Withdrawal, 'payee' | 'unconfirmed'> & {
  method: 'PIX' | 'TED';
  pixKey: string | null;
  pixKeyType: PixKeyType | null;
  bankAccount: unknown;
  unconfirmedReason: FailureReason | null;
  unconfirmedSince: Date | null;
};

/** Returns a withdrawal's column values in the order of WITHDRAWAL_COLUMNS, with a new seal. */
export function valuesOf(db: Queryable, withdrawal: Withdrawal): unknown[] {
  const row = rowOf(withdrawal);
  const seal = sealOf(db, sealedWithdrawals, row);
  return valuesIn(
    { ...row, bankAccount: row.bankAccount && JSON.stringify(row.bankAccount), seal },
    WITHDRAWAL_COLUMNS,
  );
}

function rowOf(withdrawal: Withdrawal): WithdrawalRow {
  const { payee, unconfirmed } = withdrawal;
  const isPix = payee.type === 'PIX';
  return {
    ...withdrawal,
    method: methodOf(withdrawal),
    pixKey: isPix ? payee.pixKey : null,
    pixKeyType: isPix ? payee.pixKeyType : null,
    bankAccount: isPix ? null : bankAccount.parse(payee),
    unconfirmedReason: unconfirmed?.reason ?? null,
    unconfirmedSince: unconfirmed?.since ?? null,
  };
}

const bankAccount = z.object({
  bankCode: z.string(),
  branch: z.string(),
  account: z.string(),
  accountType: z.enum(['CHECKING', 'SAVINGS']),
  holderName: z.string(),
  holderDocument: z.string(),
});

export function withdrawalOf(row: WithdrawalRow): Withdrawal {
  const {
    pixKey,
    pixKeyType,
    bankAccount: account,
    unconfirmedReason,
    unconfirmedSince,
    ...withdrawal
  } = row;
  const unconfirmed =
    unconfirmedReason && unconfirmedSince ? { reason: unconfirmedReason, since: unconfirmedSince } : null;
  return { ...withdrawal, payee: payeeOf({ pixKey, pixKeyType, account }), unconfirmed };
}

type StoredPayee = Pick<WithdrawalRow, 'pixKey' | 'pixKeyType'> & { account: unknown };

function payeeOf({ pixKey, pixKeyType, account }: StoredPayee): Payee {
  if (pixKey !== null && pixKeyType !== null) return { type: 'PIX', pixKeyType, pixKey };
  return { type: 'BANK_ACCOUNT', ...bankAccount.parse(account) };
}
