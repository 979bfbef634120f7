import { IDENTITY_HEADER, type Signer } from '@plataforma/http';
import { asCall } from '@plataforma/observe';
import { request } from 'undici';
import { z } from 'zod';

const TIMEOUT_MS = 3_000;

/** Asks the gateway's own side, in this service's name. Throws when there is no answer that can be read. */
export function createAskGateway({ gatewayUrl, signer }: { gatewayUrl: string; signer: Signer }) {
  return async <T>(path: string, answer: z.ZodType<T>): Promise<T> => {
    const { status, body } = await asCall({ method: 'GET' }, async (onward) => {
      const response = await request(`${gatewayUrl}${path}`, {
        // Asked so rarely that a kept connection would have been closed by then.
        reset: true,
        headers: { ...onward, [IDENTITY_HEADER]: signer.sign({ kind: 'service' }, 'gateway') },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      return { status: response.statusCode, body: await response.body.json() };
    });
    if (status !== 200) throw new Error(`the gateway answered ${status}`);
    return z.object({ data: answer }).parse(body).data;
  };
}
