import { type AddressOf, type Bulkhead, createSendFile, type SendFile } from '@plataforma/http';
import type { Limits } from './limits.ts';

/**
 * The rate limit of the caller's address counts a file as one request, plus one request for each full block
 * of this many bytes.
 */
const BYTES_OF_A_REQUEST = 32 * 1024;

interface Sending {
  limits: Pick<Limits, 'byAddress'>;
  longAnswers: Bulkhead;
  addressOf: AddressOf;
}

/**
 * Sends public files. The rate limit of the caller's address counts a large file as several requests. Throws
 * RATE_LIMITED or SERVICE_UNAVAILABLE.
 */
export function createCountedSendFile({ limits, ...sending }: Sending): SendFile {
  const send = createSendFile(sending);
  return async (req, res, file) => {
    limits.byAddress(req, Math.floor(file.bytes.length / BYTES_OF_A_REQUEST));
    await send(req, res, file);
  };
}
