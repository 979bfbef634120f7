import { api } from '@plataforma/contracts';
import { type Router, serve, type Verifier } from '@plataforma/http';
import { type DecodeQr, decodeQr } from '../operations/decode-qr.ts';

interface QrRoutes extends DecodeQr {
  verifier: Verifier;
}

export function qrRoutes(router: Router, { verifier, ...dependencies }: QrRoutes): void {
  serve(router, api.decodeQr, {
    verifier,
    answer: async ({ body }, merchant) => ({ data: await decodeQr(dependencies, merchant, body.brCode) }),
  });
}
