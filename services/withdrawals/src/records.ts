import type { Database } from '@plataforma/data';
import { createPeerClient, type Signer } from '@plataforma/http';
import { type Cents, Refusal, type Tenant } from '@plataforma/kernel';
import { z } from 'zod';
import { sumReturned } from './store/wallet-proofs.ts';

/** What a service has on record of credits with these references. */
interface Recorded {
  count: number;
  amount: Cents;
}

/** Whose record a kind of credit comes from; throws while it does not answer. */
export interface Records {
  /** Null: no service has a record of such credits. */
  sum(tenant: Tenant, kind: string, references: readonly string[]): Promise<Recorded | null>;
}

const ofCharges: readonly string[] = ['charge_paid', 'refund_refused', 'dispute_won'];

interface RecordsOptions {
  database: Database;
  chargesUrl: string;
  signer: Signer;
  timeoutMs: number;
}

const answer = z.object({ data: z.object({ count: z.int(), amount: z.int() }) });

export function createRecords({ database, chargesUrl, signer, timeoutMs }: RecordsOptions): Records {
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
    const said = await charges.send({ method: 'POST', path: '/internal/credits', body });
    const { data } = answer.safeParse(said.body);
    if (said.status !== 200 || !data) throw unanswered();
    return data.data;
  }
  return {
    async sum(tenant, kind, references) {
      if (ofCharges.includes(kind)) return askCharges(tenant, kind, references);
      return kind === 'withdrawal_returned' ? sumReturned(database, tenant, references) : null;
    },
  };
}

function unanswered(): Refusal {
  return new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'charges does not answer as it should; try again');
}
