import type { Duplex } from 'node:stream';
import { newId } from '@plataforma/kernel';

/** By the codes of Node's HTTP server. */
const answers: Record<string, { status: string; message: string }> = {
  HPE_HEADER_OVERFLOW: { status: '431 Request Header Fields Too Large', message: 'headers: are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', message: 'the request did not arrive in time' },
};
const MALFORMED = { status: '400 Bad Request', message: 'the request is not well-formed HTTP' };

/** Answers what never became a request, in the envelope every answer has, and hangs up. */
export function answerMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, message } = answers[error.code ?? ''] ?? MALFORMED;
  const body = JSON.stringify({ success: false, error: { code: 'VALIDATION_ERROR', message } });
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${newId()}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
