import type { CallToolResult } from '@modelcontextprotocol/server';
import { ApiError, ConnectionError } from '@plataforma/sdk';
import { confirmationOf } from './confirmation.ts';
import type { Arguments } from './input-schema.ts';
import { shown } from './shown.ts';
import type { Tool } from './tools.ts';

/** Calls an endpoint by its route, as often as the SDK deems right. */
export type Caller = (route: string, sent: Sent) => Promise<unknown>;

interface Sent {
  params?: Record<string, string>;
  query?: Arguments;
  body?: unknown;
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** One call of a tool, for the log: no argument and no answer, as these name people. */
export interface CallReport {
  tool: string;
  outcome: string;
  requestId: string | null;
  durationMs: number;
}

interface Means {
  call: Caller;
  report: (report: CallReport) => void;
}

export async function callTool(
  tool: Tool,
  args: Arguments,
  { call, report, signal }: Means & { signal: AbortSignal },
): Promise<CallToolResult> {
  const began = performance.now();
  const ended = (outcome: string, requestId: string | null = null) =>
    report({ tool: tool.name, outcome, requestId, durationMs: Math.round(performance.now() - began) });
  const confirmation = confirmationOf(tool.name, args);
  if (tool.needsConfirmation && args.confirm !== confirmation) {
    ended('CONFIRMATION_NEEDED');
    return failed(JSON.stringify(unconfirmed(tool, args, confirmation)));
  }
  const sent = sentBy(tool, args);
  try {
    const answer = await call(tool.route, { ...sent, signal });
    ended('ok');
    return { content: [{ type: 'text', text: shown(answer) }] };
  } catch (error) {
    const refusal = refusalOf(error, sent.idempotencyKey);
    ended(refusal.code, refusal.requestId);
    return failed(refusal.text);
  }
}

/** A key of its own for each call that honours one, so that the failure can name it. */
function sentBy({ endpoint, route }: Tool, args: Arguments): Sent {
  const names = [...route.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const { body, idempotencyKey, confirm: _confirm, ...others } = args;
  const given = Object.entries(others);
  const query = given.filter(([name]) => !names.includes(name));
  return {
    params: Object.fromEntries(names.map((name) => [name, String(args[name])])),
    ...(query.length > 0 && { query: Object.fromEntries(query) }),
    ...(body !== undefined && { body }),
    ...(endpoint.keyed && { idempotencyKey: String(idempotencyKey ?? crypto.randomUUID()) }),
  };
}

function unconfirmed({ name, endpoint }: Tool, { confirm: _confirm, ...args }: Arguments, confirm: string) {
  return {
    code: 'CONFIRMATION_NEEDED',
    message:
      `Nothing was done. This is production, and real money: "${endpoint.summary}" with exactly these arguments. Show them ` +
      'to the person you work for; only when they agree, call again with the same arguments and this confirmation.',
    tool: name,
    arguments: args,
    confirm,
  };
}

function refusalOf(error: unknown, idempotencyKey?: string) {
  if (error instanceof ApiError) {
    const { code, status, message, reason, requestId, retryAfter } = error;
    return { code, requestId, text: shown({ code, status, message, reason, requestId, retryAfter }) };
  }
  if (!(error instanceof ConnectionError)) throw error;
  const doubt = idempotencyKey
    ? 'It is unknown whether it was done: call again with the same arguments and this idempotencyKey, which does nothing twice.'
    : 'Read it again before you change anything.';
  const code = 'NO_ANSWER';
  const text = JSON.stringify({ code, message: `${error.message}. ${doubt}`, idempotencyKey });
  return { code, requestId: null, text };
}

function failed(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] };
}
