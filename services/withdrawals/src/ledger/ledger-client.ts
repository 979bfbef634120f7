import { createExchange, IDENTITY_HEADER, type Signer } from '@plataforma/chassis';
import { type Cents, type Environment, Refusal } from '@plataforma/kernel';
import { z } from 'zod';

/** Money taken from a merchant's wallet to be paid out. */
interface WithdrawalDebit {
  /** The withdrawal's id: asked twice, it is taken once. */
  id: string;
  merchantId: string;
  environment: Environment;
  netAmount: Cents;
  fee: Cents;
  method: 'PIX' | 'TED';
  occurredAt: Date;
}

export interface LedgerClient {
  /**
   * Whether the ledger has taken the money; false: the balance did not cover it, and never will for this id. Refuses
   * with SERVICE_UNAVAILABLE when it is unknown. Any other definite answer is a defect of ours: the books have other
   * facts under this id, or don't know us.
   */
  debit(debit: WithdrawalDebit): Promise<boolean>;
}

interface LedgerOptions {
  url: string;
  signer: Signer;
  /** For each request with its whole answer. */
  timeoutMs: number;
}

const success = z.object({ data: z.object({ id: z.string() }) });
const failure = z.object({ error: z.object({ code: z.string() }) });

/** Speaks to the ledger's own side, in this service's name. */
export function createLedgerClient({ url, signer, timeoutMs }: LedgerOptions): LedgerClient {
  const exchange = createExchange({ baseUrl: url, timeoutMs, isOurs: true, unanswered: unavailable });

  return {
    async debit({ id, merchantId, environment, netAmount, fee, method, occurredAt }) {
      const answer = await exchange({
        method: 'POST',
        path: '/internal/withdrawals',
        headers: {
          [IDENTITY_HEADER]: signer.sign({ kind: 'service' }, 'ledger'),
          'content-type': 'application/json',
        },
        body: JSON.stringify({ id, merchantId, environment, netAmount, fee, method, occurredAt }),
      });
      if (answer.status === 200 && success.safeParse(answer.body).data?.data.id === id) return true;
      const code = failure.safeParse(answer.body).data?.error.code;
      if (answer.status === 422 && code === 'INSUFFICIENT_BALANCE') return false;
      // These are not the ledger's words, but of something in between.
      if (code === undefined) throw unavailable();
      throw new Error(`the ledger answered ${answer.status} ${code} when asked for a withdrawal’s money`);
    },
  };
}

function unavailable(): Refusal {
  const message = 'the ledger does not answer as it should; try again';
  return new Refusal('unavailable', 'SERVICE_UNAVAILABLE', message);
}
