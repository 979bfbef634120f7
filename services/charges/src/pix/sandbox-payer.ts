import { createExchange } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';

/** The payer's bank of the sandbox: pays a charge as a buyer would. */
export interface SandboxPayer {
  pay(txid: string): Promise<void>;
}

const TIMEOUT_MS = 8_000;

/** Without an address there is no sandbox to pay in. */
export function createSandboxPayer(baseUrl: string | undefined): SandboxPayer {
  const bank = { timeoutMs: TIMEOUT_MS, unanswered: unavailable };
  const exchange = baseUrl === undefined ? undefined : createExchange({ ...bank, baseUrl });
  return {
    async pay(txid) {
      const answer = await exchange?.({ method: 'POST', path: `/control/pix/${txid}/pay`, headers: {} });
      if (answer?.status !== 200) throw unavailable();
    },
  };
}

function unavailable(): Refusal {
  const message = 'the sandbox provider does not answer; try again';
  return new Refusal('unavailable', 'PROVIDER_UNAVAILABLE', message);
}
