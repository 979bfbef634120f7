import type { Database } from '@plataforma/data';
import { createPeerClient, type Signer } from '@plataforma/http';
import { type Cents, Refusal, type Tenant } from '@plataforma/kernel';
import { z } from 'zod';
import { sumReturnedDebits } from './store/wallet-proofs.ts';

/**
 * The number of credits, and their sum in cents, as the service that caused the credits has recorded them.
 */
interface CreditSum {
  count: number;
  amount: Cents;
}

/**
 * Sums credits in the records of the services that caused the credits. The caller compares these sums with
 * the ledger's credits.
 */
export interface CreditSums {
  /**
   * Returns the number and the sum of the credits that a service has recorded. Returns null if no service
   * records this kind of credit. Throws SERVICE_UNAVAILABLE if the charges service does not answer.
   */
  sum(tenant: Tenant, kind: string, references: readonly string[]): Promise<CreditSum | null>;
}

const ofCharges: readonly string[] = ['charge_paid', 'refund_refused', 'dispute_won'];

interface CreditSumsOptions {
  database: Database;
  chargesUrl: string;
  signer: Signer;
  timeoutMs: number;
}

const answer = z.object({ data: z.object({ count: z.int(), amount: z.int() }) });

export function createCreditSums({ database, chargesUrl, signer, timeoutMs }: CreditSumsOptions): CreditSums {
  const charges = createPeerClient({
    ...{ service: 'charges', baseUrl: chargesUrl, signer, timeoutMs },
    unanswered,
  });
  async function askCharges(
    { merchantId, environment }: Tenant,
    kind: string,
    references: readonly string[],
  ) {
    const body = { merchantId, environment, kind, references };
    const response = await charges.send({ method: 'POST', path: '/internal/credits', body });
    const { data } = answer.safeParse(response.body);
    if (response.status !== 200 || !data) throw unanswered();
    return data.data;
  }
  return {
    async sum(tenant, kind, references) {
      if (ofCharges.includes(kind)) return askCharges(tenant, kind, references);
      return kind === 'withdrawal_returned' ? sumReturnedDebits(database, tenant, references) : null;
    },
  };
}

function unanswered(): Refusal {
  return new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'charges sent an unusable answer; try again');
}
