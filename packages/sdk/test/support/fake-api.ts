import { Plataforma, type PlataformaOptions } from '../../src/index.ts';

interface Sent {
  method: string;
  url: string;
  headers: Headers;
  body: string | FormData | undefined;
}

type Answer = () => Response | Promise<Response>;

/**
 * Returns an SDK whose requests get these answers in turn, and a list of its requests. The last answer
 * repeats.
 */
export function sdkAnsweredBy(answers: Answer[], options: Partial<PlataformaOptions> = {}) {
  const sent: Sent[] = [];
  const plataforma = new Plataforma({
    ...{ apiKey: 'key-of-test', baseUrl: 'https://api.example/' },
    fetch: async (url, { method = '', headers, body, signal } = {}) => {
      signal?.throwIfAborted();
      if (typeof body !== 'string' && !(body instanceof FormData) && body != null)
        throw new TypeError('body');
      sent.push({ method, url: String(url), headers: new Headers(headers), body: body ?? undefined });
      const answer = answers[Math.min(sent.length, answers.length) - 1];
      if (!answer) throw new TypeError('nothing answers');
      return answer();
    },
    ...options,
  });
  return { plataforma, sent };
}

export const done =
  (data: unknown = {}, meta?: object): Answer =>
  () =>
    Response.json({ success: true, data, ...(meta && { meta }) });

export const refused =
  (status: number, code: string, headers: Record<string, string> = {}): Answer =>
  () =>
    Response.json({ success: false, error: { code, message: `${code} of a test` } }, { status, headers });

export const unreachable: Answer = () => Promise.reject(new TypeError('fetch failed'));
