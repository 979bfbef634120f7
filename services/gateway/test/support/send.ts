import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { logInOperator, type OperatorLogin } from '@plataforma/testing';
import { send as sendExactly } from '@plataforma/testing/fixtures';
import { z } from 'zod';

const envelope = z.object({
  success: z.boolean(),
  data: z.unknown().optional(),
  meta: z.unknown().optional(),
  error: z
    .strictObject({
      code: z.string(),
      message: z.string(),
      otpauth: z.string().optional(),
      passkey: z.record(z.string(), z.unknown()).optional(),
    })
    .optional(),
});

export interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  json: z.infer<typeof envelope>;
  /** The error code, or an empty text for a success. */
  code: string;
}

export interface Sending {
  method?: string;
  headers?: OutgoingHttpHeaders;
  /** The body, which is sent as JSON. A Buffer is sent unchanged. */
  body?: unknown;
}

/** Sends a request with exactly these headers, and expects JSON with `success` and `data`. */
export async function send(url: string, { body, headers, ...sending }: Sending = {}): Promise<Answered> {
  const bytes =
    body === undefined ? undefined : Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const about = bytes && { 'content-type': 'application/json', 'content-length': bytes.length };
  const answer = await sendExactly(url, { ...sending, headers: { ...about, ...headers }, body: bytes });
  const json = envelope.parse(JSON.parse(answer.text));
  return { ...answer, json, code: json.error?.code ?? '' };
}

/**
 * Logs an operator in with a second factor, which the first log-in enrols. `post` sends the body of a log-in.
 * Returns the last answer.
 */
export async function sendLogIn(
  post: (body: Record<string, string>) => Promise<Answered>,
  login: OperatorLogin,
): Promise<Answered> {
  let last: Answered | undefined;
  await logInOperator(async (body) => {
    last = await post(body);
    return { ...Object(last.json.data), ...last.json.error };
  }, login);
  if (!last) throw new Error('no log-in was sent');
  return last;
}

/** Sends bytes and closes the connection before a response arrives. */
export function sendAndHangUp(port: number, bytes: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, () => socket.destroy()));
    socket.on('close', () => resolve());
    socket.on('error', reject);
  });
}
