import { Pool } from 'undici';
import { z } from 'zod';
import type { Owner } from './run.ts';

export interface Http {
  send(request: {
    method: 'GET' | 'POST' | 'PUT';
    path: string;
    body?: string;
    headers?: Record<string, string>;
  }): Promise<{ status: number; text: string }>;
}

interface HttpOptions {
  headers?: Record<string, string>;
  connections: number;
}

/**
 * Opens keep-alive connections to one address. The connections close when the benchmark that owns them ends,
 * even if requests are still open.
 */
export function httpTo({ defer }: Owner, origin: string, { headers = {}, connections }: HttpOptions): Http {
  const pool = new Pool(origin, { connections });
  defer(() => pool.destroy());
  return {
    async send({ method, path, body, headers: own }) {
      const type = { 'content-type': 'application/json', ...headers, ...own };
      const response = await pool.request({ method, path, headers: type, body: body ?? null });
      return { status: response.statusCode, text: await response.body.text() };
    },
  };
}

const answered = z.object({ data: z.record(z.string(), z.unknown()) });

/** Returns `data` of an answer with the expected status. Throws for any other status. */
export async function dataOf(answer: Promise<{ status: number; text: string }>, status: number) {
  const { status: got, text } = await answer;
  if (got !== status) throw new Error(`${got} instead of ${status}: ${text.slice(0, 200)}`);
  return answered.parse(JSON.parse(text)).data;
}

let orders = 0;

export function order() {
  orders += 1;
  const externalId = `bench-${Date.now()}-${orders}`;
  return { amount: 2_500, externalId, payerName: 'Maria da Silva', payerDocument: '12345678909' };
}

export const orderBody = (changes: object = {}) => JSON.stringify({ ...order(), ...changes });
