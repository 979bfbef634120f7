import type { FakeBank } from './qr-bank.ts';
import { type Decoder, startDecoder } from './qr-decoder.ts';

export const ISSUER = 'chaves.processadora.example';

const decoders: Decoder[] = [];

/** Decodes a QR code of the fake bank. The decoder also trusts the keys of the host ISSUER. */
export async function decodeFrom({ web }: Pick<FakeBank, 'web'>, code: string) {
  const decoder = await startDecoder({ guarded: web, trustedIssuers: new Set([ISSUER]) });
  decoders.push(decoder);
  return decoder.decode(code);
}

export async function stopDecoders(): Promise<void> {
  for (const decoder of decoders) await decoder.stop();
}

export const invalid = (message: string) => ({ status: 422, error: { code: 'INVALID_QR_CODE', message } });
export const UNSIGNED = invalid('the answer of the bank behind the code is not signed as Pix requires');
export const NO_KEY = invalid('the bank behind the code has no key that fits its signature');
export const WRONG = invalid('the signature of the charge behind the code is wrong');
export const ELSEWHERE = invalid('the code is not signed by the bank it leads to');
