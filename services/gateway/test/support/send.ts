import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { z } from 'zod';

const envelope = z.object({
  success: z.boolean(),
  data: z.unknown().optional(),
  meta: z.unknown().optional(),
  error: z.strictObject({ code: z.string(), message: z.string() }).optional(),
});

export interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  json: z.infer<typeof envelope>;
  /** The code of a failure, '' for a success. */
  code: string;
}

export interface Sending {
  method?: string;
  headers?: OutgoingHttpHeaders;
  /** Sent as JSON, a Buffer as it is. */
  body?: unknown;
}

/** Sends exactly these headers, and demands of every answer that it is an envelope. */
export function send(url: string, { method = 'GET', headers = {}, body }: Sending = {}): Promise<Answered> {
  const bytes =
    body === undefined ? undefined : Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const about = bytes ? { 'content-type': 'application/json', 'content-length': bytes.length } : {};
  return new Promise((resolve, reject) => {
    const call = request(url, { method, headers: { ...about, ...headers } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        try {
          const text = Buffer.concat(chunks).toString('utf8');
          const json = envelope.parse(JSON.parse(text));
          const status = answer.statusCode ?? 0;
          resolve({ status, headers: answer.headers, text, json, code: json.error?.code ?? '' });
        } catch (error) {
          reject(error);
        }
      });
    });
    call.on('error', reject);
    call.end(bytes);
  });
}

/** Sends bytes, and is gone before there is an answer. */
export function sendAndHangUp(port: number, bytes: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, () => socket.destroy()));
    socket.on('close', () => resolve());
    socket.on('error', reject);
  });
}

/** What a server answers to bytes that no HTTP client would send, until it hangs up. */
export function sendRaw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
    socket.on('error', reject);
  });
}
