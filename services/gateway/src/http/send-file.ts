import { type AddressOf, type Bulkhead, createSendFile, type SendFile } from '@plataforma/http';
import type { Limits } from './limits.ts';

/** So many bytes of a file count for one more request of their address. */
const BYTES_OF_A_REQUEST = 32 * 1024;

interface Sending {
  limits: Pick<Limits, 'byAddress'>;
  longAnswers: Bulkhead;
  addressOf: AddressOf;
}

/** Sends files that anybody may ask for, counted by their sizes; refuses with RATE_LIMITED or SERVICE_UNAVAILABLE. */
export function createCountedSendFile({ limits, ...sending }: Sending): SendFile {
  const send = createSendFile(sending);
  return async (req, res, file) => {
    limits.byAddress(req, Math.floor(file.bytes.length / BYTES_OF_A_REQUEST));
    await send(req, res, file);
  };
}
