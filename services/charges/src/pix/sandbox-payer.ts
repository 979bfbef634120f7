import { Refusal } from '@plataforma/kernel';
import { request } from 'undici';

/** The payer's bank of the sandbox: pays a charge as a buyer would. */
export interface SandboxPayer {
  pay(txid: string): Promise<void>;
}

const TIMEOUT_MS = 8_000;

/** Without an address there is no sandbox to pay in. */
export function createSandboxPayer(controlUrl: string | undefined): SandboxPayer {
  return {
    async pay(txid) {
      const isPaid = controlUrl !== undefined && (await order(`${controlUrl}/control/pix/${txid}/pay`));
      if (isPaid) return;
      throw new Refusal(
        'unavailable',
        'PROVIDER_UNAVAILABLE',
        'the sandbox provider does not answer; try again',
      );
    },
  };
}

async function order(url: string): Promise<boolean> {
  try {
    const response = await request(url, { method: 'POST', signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.body.dump();
    return response.statusCode === 200;
  } catch {
    return false;
  }
}
