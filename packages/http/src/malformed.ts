import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ErrorCode, errorCatalogue } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { ANSWER_HEADERS } from './answer-headers.ts';

interface Answer {
  code: ErrorCode;
  message: string;
  headers?: readonly string[];
}

/**
 * The answers to malformed requests, by the error code of Node's HTTP server. Other codes get `MALFORMED`.
 */
const answers: Record<string, Answer> = {
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    code: 'PAYLOAD_TOO_LARGE',
    message: 'body: the extensions of its chunks are too large',
  },
  HPE_INVALID_METHOD: { code: 'NOT_IMPLEMENTED', message: 'no endpoint takes this method' },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'REQUEST_TIMEOUT',
    message: 'the request did not arrive whole in time',
  },
};
/** Errors of a caller that closed its connection in the middle of a request. The caller reads no answer. */
const HUNG_UP = new Set(['ECONNRESET', 'HPE_INVALID_EOF_STATE']);
const MALFORMED: Answer = { code: 'VALIDATION_ERROR', message: 'the request is not well-formed HTTP' };
const NO_TUNNEL: Answer = {
  code: 'METHOD_NOT_ALLOWED',
  message: 'CONNECT is not taken here',
  headers: ['Allow:'],
};

/**
 * Answers malformed input with the failure envelope, and closes the connection. `exchanges` are the
 * connection's open requests. Sends no envelope if the caller could match it to a wrong request: after an
 * answer, or while another request waits for its answer.
 */
export function answerMalformed(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  { exchanges, maxHeadBytes }: { exchanges: readonly ServerResponse[]; maxHeadBytes: number },
): void {
  const isAwaited = exchanges.some((res) => !res.writableEnded && (res.headersSent || res.req.complete));
  const isAnswered = exchanges.some((res) => res.writableEnded);
  if (HUNG_UP.has(error.code ?? '') || !socket.writable || isAwaited) socket.destroy();
  else if (isAnswered) socket.end(() => socket.destroy());
  else if (error.code === 'HPE_HEADER_OVERFLOW') hangUpWith(socket, tooLarge(maxHeadBytes));
  else hangUpWith(socket, answers[error.code ?? ''] ?? MALFORMED);
}

function tooLarge(bytes: number): Answer {
  const message = `headers: must be at most ${bytes / 1024} KiB, with the request line`;
  return { code: 'HEADERS_TOO_LARGE', message };
}

/**
 * Refuses a CONNECT request. Closes the connection without a refusal if an earlier request of the connection
 * still waits for its answer.
 */
export function refuseTunnel(socket: Duplex, exchanges: readonly ServerResponse[]): void {
  socket.on('error', () => undefined);
  if (exchanges.length > 0) socket.destroy();
  else hangUpWith(socket, NO_TUNNEL);
}

/**
 * The time that a caller has to read the refusal and close the connection. Node's own timeouts no longer
 * apply to this connection.
 */
const HANG_UP_MS = 1_000;

function hangUpWith(socket: Duplex, { code, message, headers = [] }: Answer): void {
  const { status } = errorCatalogue[code];
  const body = JSON.stringify({ success: false, error: { code, message } });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${newId()}`,
    ...[...ANSWER_HEADERS].map((header) => header.join(': ')),
    ...headers,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  const cut = setTimeout(() => socket.destroy(), HANG_UP_MS);
  socket.once('close', () => clearTimeout(cut));
}
