import { isDeepStrictEqual } from 'node:util';
import { merchantSnapshot } from '@plataforma/events';
import { type Databases, type Evidence, rowsOf } from './evidence.ts';
import { type Finding, lost, violation } from './finding.ts';

type MerchantState = { id: string; snapshot: Record<string, unknown> };

/** Selects each merchant's row in the gateway's database, in the form of the merchant's events. */
const MERCHANT_STATES = `
  SELECT id, jsonb_build_object('id', id, 'version', version, 'name', company_name, 'cnpj', cnpj,
    'phone', phone, 'status', status,
    'checkoutColor', checkout_color, 'pixFeeBps', pix_fee_bps, 'pixFeeFixed', pix_fee_fixed_cents,
    'cardFeeBps', card_fee_bps, 'cardFeeFixed', card_fee_fixed_cents, 'cardEnabled', card_enabled,
    'maxInstallments', max_installments, 'settlementDays', settlement_days,
    'settlementCalendar', settlement_calendar,
    'withdrawalFee', withdrawal_fee_cents, 'withdrawalFeeMode', withdrawal_fee_mode,
    'autoApproveLimit', auto_approve_limit_cents, 'dailyWithdrawalLimit', daily_withdrawal_limit_cents,
    'destinationCooldownHours', destination_cooldown_hours,
    'newPayeesPerDay', new_payees_per_day) AS snapshot
  FROM organizations`;
const COPIES = 'SELECT id, snapshot FROM merchants';

export function readMerchantStates({ gateway }: Databases): Promise<MerchantState[]> {
  return rowsOf<MerchantState>(gateway, MERCHANT_STATES);
}

/**
 * Invariant 8. Checks that each service's copy of a merchant equals the row in the gateway's database in
 * every field.
 */
export async function checkMerchants({ databases, olderUntil }: Evidence): Promise<Finding[]> {
  const merchants = await readMerchantStates(databases);
  const findings: Finding[] = [];
  for (const service of ['charges', 'withdrawals'] as const) {
    const rows = await rowsOf<MerchantState>(databases[service], COPIES);
    const copies = new Map(rows.map((row) => [row.id, row.snapshot]));
    for (const { id, snapshot } of merchants) {
      const copy = copies.get(id);
      if (!copy) findings.push(lost(8, `merchant ${id} is there, and ${service} was never told`));
      else
        findings.push(
          ...compare(snapshot, copy, olderUntil === undefined ? [] : NEW_FIELDS).map(
            ({ name, is, believed }) =>
              violation(
                8,
                `${name} of merchant ${id} is ${JSON.stringify(is)}, and ${service} believes in ${JSON.stringify(believed)}`,
              ),
          ),
        );
    }
  }
  return findings;
}

/** Fields that copies of release 0.6.0 lack. The page that shows them then asks the gateway. */
const NEW_FIELDS: readonly string[] = ['cnpj', 'phone'];

/**
 * Returns the fields that differ, with both values. If the copy lacks a field, the default of the event's
 * schema counts as the copy's value. The copy may lack the fields in `absent`.
 */
function compare(
  snapshot: MerchantState['snapshot'],
  copy: MerchantState['snapshot'],
  absent: readonly string[],
) {
  const copied: MerchantState['snapshot'] = merchantSnapshot.safeParse(copy).data ?? copy;
  return Object.entries(snapshot)
    .filter(([name]) => copied[name] !== undefined || !absent.includes(name))
    .filter(([name, value]) => !isDeepStrictEqual(copied[name], value))
    .map(([name, value]) => ({ name, is: value, believed: copied[name] }));
}
