import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import { declineReasons, errorCatalogue, routeOf } from '@plataforma/contracts';
import { ApiError, ConnectionError } from '@plataforma/sdk';
import { z } from 'zod';
import type { Intent, Intents } from './confirmation.ts';
import type { Arguments } from './input-schema.ts';
import { type Person, question } from './person.ts';
import { shown, shownInput } from './shown.ts';
import type { Tool } from './tools.ts';

/** Calls an endpoint by its route. The SDK's transport retries if that is safe. */
export type Caller = (route: string, sent: Sent) => Promise<unknown>;

interface Sent {
  params?: Record<string, string>;
  query?: Arguments;
  body?: unknown;
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** The log line of a tool call. It omits arguments and answers, because they contain personal data. */
export interface CallReport {
  tool: string;
  outcome: string;
  requestId: string | null;
  durationMs: number;
}

interface CallDependencies {
  call: Caller;
  report: (report: CallReport) => void;
  intents: Intents;
}

/** The context of a tool call. `person` is null if the client cannot ask its user a question. */
type CallContext = CallDependencies & { person: Person | null; signal: AbortSignal };

export async function callTool(
  tool: Tool,
  args: Arguments,
  { call, report, intents, person, signal }: CallContext,
): Promise<CallToolResult | InputRequiredResult> {
  const began = performance.now();
  const ended = (outcome: string, requestId: string | null = null) =>
    report({ tool: tool.name, outcome, requestId, durationMs: Math.round(performance.now() - began) });
  const confirm = person ? person.confirm : args.confirm;
  const intent = intents.of(tool.name, { ...args, confirm });
  if (tool.needsConfirmation && !intents.isConfirmed(intent, confirm)) {
    ended(person?.hasDeclined ? 'DECLINED' : 'CONFIRMATION_NEEDED');
    return person
      ? askPerson(tool, args, { intents, intent, person })
      : failed(JSON.stringify(refusedWithoutPerson(tool, args, { intents, intent })));
  }
  const sent = sentBy(tool, args, intent);
  if (!tool.reads) intents.start(intent);
  // After a cancelled call the intent stays unconfirmed, because the client never receives the answer. A
  // repeat of the call then uses the same idempotency key.
  const complete = () => signal.aborted || intents.complete(intent);
  try {
    const answer = await call(routeOf(tool.endpoint), { ...sent, signal });
    ended('ok');
    complete();
    return { content: [{ type: 'text', text: shown(answer, tool.output) }] };
  } catch (error) {
    const refusal = refusalOf(error, sent.idempotencyKey);
    ended(refusal.code, refusal.requestId);
    if (refusal.isAnswered) complete();
    return failed(refusal.text);
  }
}

interface Deciding {
  intents: Intents;
  intent: Intent;
}

function askPerson(tool: Tool, args: Arguments, { intents, intent, person }: Deciding & { person: Person }) {
  if (person.hasDeclined)
    return failed(JSON.stringify({ code: 'DECLINED', message: 'The person declined: nothing was done.' }));
  const about = questionAbout(tool, args, intents.isRepeated(intent));
  return about === null ? failed(JSON.stringify(tooLong)) : question(about, intents.ask(intent));
}

function refusedWithoutPerson(tool: Tool, args: Arguments, { intents, intent }: Deciding) {
  if (takesPerson(tool, args)) return withoutPerson(tool);
  return unconfirmed(tool, args, { ...intent, confirm: intents.ask(intent) });
}

/**
 * Builds the request. An endpoint that takes an idempotency key gets the key of the intent. An error message
 * can then name the key to use for a repeat.
 */
function sentBy({ endpoint }: Tool, args: Arguments, { idempotencyKey }: Intent): Sent {
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const { body, idempotencyKey: _key, confirm: _confirm, ...others } = args;
  const given = Object.entries(others);
  const query = given.filter(([name]) => !names.includes(name));
  return {
    params: Object.fromEntries(names.map((name) => [name, String(args[name])])),
    ...(query.length > 0 && { query: Object.fromEntries(query) }),
    ...(body !== undefined && { body }),
    ...(endpoint.keyed && { idempotencyKey }),
  };
}

type Asking = Intent & { confirm: string };

const REAIS = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });

const tooLong = {
  code: 'VALIDATION_ERROR',
  message:
    'Nothing was done: the arguments are too long to show to a person. Send only the fields that the tool has.',
};

/**
 * Returns the question that the client shows to its user directly, without the model. Returns null if the
 * arguments are too long to show in full.
 */
function questionAbout(
  { endpoint, input }: Tool,
  { confirm: _confirm, ...args }: Arguments,
  isRepeated: boolean,
): string | null {
  const { body } = args;
  const fields = shownInput(args, input);
  if (fields === null) return null;
  const amount = isRecord(body) && 'amount' in body ? Number(body.amount) : null;
  return [
    `Production, with real effect: ${endpoint.summary}${amount === null ? '' : `, ${REAIS.format(amount / 100)}`}`,
    ...(isRepeated
      ? ['The same call got no answer before: this call repeats it and does nothing twice.']
      : []),
    fields,
  ].join('\n');
}

function takesPerson({ needsPerson, freeFields }: Tool, { body }: Arguments): boolean {
  if (needsPerson || freeFields === undefined || !isRecord(body)) return needsPerson;
  return Object.keys(body).some((name) => !freeFields.includes(name));
}

function withoutPerson({ endpoint }: Tool) {
  const message = `"${endpoint.summary}" needs the approval of a person, and this client can't ask one (MCP elicitation).`;
  return { code: 'PERSON_NEEDED', message: `Nothing was done. ${message}` };
}

function unconfirmed({ name, endpoint }: Tool, args: Arguments, { idempotencyKey, confirm }: Asking) {
  return {
    code: 'CONFIRMATION_NEEDED',
    message:
      `Nothing was done. This is production: "${endpoint.summary}" with exactly these arguments. ` +
      'Show them to the person you work for. Only after this person agrees, call again with the same ' +
      'arguments and this confirmation. It works once, within five minutes.',
    tool: name,
    arguments: { ...args, confirm: undefined, ...(endpoint.keyed && { idempotencyKey }) },
    confirm,
  };
}

const refusal = z.object({
  code: z.enum(Object.keys(errorCatalogue)),
  status: z.int(),
  message: z.string(),
  reason: z.enum(declineReasons),
  requestId: z.uuid(),
  retryAfter: z.number(),
});

function refusalOf(error: unknown, idempotencyKey?: string) {
  if (error instanceof ApiError) {
    const { code, status, message, reason, requestId, retryAfter } = error;
    const text = shown({ code, status, message, reason, requestId, retryAfter }, refusal);
    return { code, requestId, text, isAnswered: true };
  }
  if (!(error instanceof ConnectionError)) throw error;
  const advice = idempotencyKey
    ? 'The outcome is unknown: call again with the same arguments and this idempotencyKey, so that nothing is done twice.'
    : 'Read the current state before you change anything.';
  const code = 'NO_ANSWER';
  const text = JSON.stringify({ code, message: `${error.message}. ${advice}`, idempotencyKey });
  return { code, requestId: null, text, isAnswered: false };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function failed(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] };
}
