import type { WalletTransactionView } from '@plataforma/contracts';
import { call } from '../../shared/api.ts';
import { partOfCharge } from '../charges/refunded.tsx';

interface Listed {
  data: readonly WalletTransactionView[];
}

/** A row of the statement. `part` is the cents that a partial refund returned, or null for any other row. */
export interface StatementRow extends WalletTransactionView {
  part: number | null;
}

/**
 * Reads the charges of all refunds in the page before the page is shown, so that no row changes its text
 * later. If a charge can't be read, its rows show no amount of a partial refund.
 */
export async function withPartialRefunds<Page extends Listed>(page: Page) {
  const ids = new Set(page.data.filter(isRefund).map(({ chargeId }) => chargeId));
  const amounts = new Map(await Promise.all([...ids].map(async (id) => [id, await readPart(id)] as const)));
  const data = page.data.map((row): StatementRow => {
    return { ...row, part: isRefund(row) ? (amounts.get(row.chargeId) ?? null) : null };
  });
  return { ...page, data };
}

function isRefund({ type, amount, movement, chargeId }: WalletTransactionView): boolean {
  return amount < 0 && chargeId !== null && (movement?.type ?? type) === 'REFUND';
}

/** A charge is refunded once, so a refunded charge is read only once. */
const partsOfRefunded = new Map<string, number | null>();

async function readPart(id: string | null): Promise<number | null> {
  const cached = id === null ? null : partsOfRefunded.get(id);
  if (id === null || cached !== undefined) return cached ?? null;
  const charge = await call('GET /v1/charges/:id', { params: { id } }).catch(() => null);
  const part = charge && partOfCharge(charge);
  if (charge?.status === 'REFUNDED') partsOfRefunded.set(id, part);
  return part;
}
