import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Call } from '../history.ts';
import { acknowledged, isDone, nameOfCall } from './calls.ts';
import { CONFIGURATION } from './edits.ts';
import { type Databases, type Evidence, rowsOf } from './evidence.ts';
import { type Finding, lost } from './finding.ts';
import { readMerchantStates } from './merchants.ts';

/** A request that sets a property to a value. `about` names the object and the property. */
interface Word {
  call: Call;
  about: string;
  value: unknown;
}

const SETTINGS = /^\/v1\/admin\/merchants\/([^/]+)\/settings$/;
const ACCOUNT = '/v1/account';
const STEP = /^\/v1\/admin\/merchants\/([^/]+)\/(approve|reject|suspend|reactivate)$/;
const outcomes: Record<string, unknown> = { approve: 'APPROVED', reject: 'REJECTED', suspend: 'SUSPENDED' };

/**
 * Invariant 9. Checks that each property has the value of its last acknowledged change. It does not check a
 * property if another change ran at the same time, or may have been applied later.
 */
export async function checkLastWords({ databases, calls }: Evidence): Promise<Finding[]> {
  const now = await readEdited(databases);
  const accounts = accountsOf(calls);
  const words = Map.groupBy(
    effective(calls).flatMap((call) => wordsOf(call, accounts)),
    ({ about }) => about,
  );
  return [...words].flatMap(([about, said]) => {
    const acknowledged = said.filter(({ call }) => isDone(call));
    const last = acknowledged.toSorted((left, right) => left.call.startedAt - right.call.startedAt).at(-1);
    if (!last || last.value === undefined || said.some((word) => mayContradict(word, last))) return [];
    if (isDeepStrictEqual(now.get(about), last.value)) return [];
    const [is, was] = [now.get(about), last.value].map((value) => JSON.stringify(value));
    return [lost(9, `${nameOfCall(last.call)} has made ${about} ${was}, and it is ${is}`)];
  });
}

const APPROVAL = /^\/v1\/admin\/proposals\/([^/]+)\/approve$/;
const proposal = z.object({ data: z.object({ id: z.string() }) });

/**
 * Gives a proposed change the times and the status of its approval. Omits a proposal that no operator has
 * tried to approve, because it has no effect.
 */
function effective(calls: readonly Call[]): Call[] {
  const approvals = Map.groupBy(calls, ({ path }) => APPROVAL.exec(path)?.[1] ?? '');
  return calls.flatMap((call) => {
    const id = call.status === 202 ? proposal.safeParse(call.answer).data?.data.id : undefined;
    if (id === undefined) return [call];
    const tries = (approvals.get(id) ?? []).filter((one) => isDone(one) || isUnclear(one));
    if (tries.length === 0) return [];
    const status = tries.some(isDone) ? 200 : null;
    const startedAt = Math.min(...tries.map((one) => one.startedAt));
    return [{ ...call, startedAt, endedAt: Math.max(...tries.map((one) => one.endedAt)), status }];
  });
}

const isUnclear = ({ status }: Call) => status === null || status >= 500;

function mayContradict({ call, value }: Word, last: Word): boolean {
  const isRival = isUnclear(call) || (isDone(call) && call.endedAt > last.call.startedAt);
  return isRival && call !== last.call && !isDeepStrictEqual(value, last.value);
}

/**
 * Returns the account id of each actor. The path of a change of the account contains no id, so the id is read
 * from a 2xx response. An actor without such a response is missing.
 */
function accountsOf(calls: readonly Call[]): Map<string, string> {
  const edits = acknowledged(calls).filter(({ call }) => call.method === 'PATCH' && call.path === ACCOUNT);
  return new Map(edits.map(({ call, data }) => [call.actor, String(data.id)]));
}

function wordsOf(call: Call, accounts: ReadonlyMap<string, string>): Word[] {
  const { actor, method, path, body } = call;
  const account = path === ACCOUNT ? accounts.get(actor) : undefined;
  const edited = method === 'PATCH' && (account ?? (CONFIGURATION.exec(path) ?? SETTINGS.exec(path))?.[1]);
  if (edited)
    return Object.entries(body ?? {}).map(([name, value]) => ({ call, about: `${edited} ${name}`, value }));
  const deleted = method === 'DELETE' && CONFIGURATION.exec(path)?.[1];
  if (deleted) return [{ call, about: `${deleted} isActive`, value: false }];
  const [, merchant, step = ''] = STEP.exec(path) ?? [];
  // The value is undefined for `reactivate`, because it restores an earlier status that is unknown here.
  return merchant ? [{ call, about: `${merchant} status`, value: outcomes[step] }] : [];
}

const CONFIGURATIONS = `
  SELECT id, jsonb_build_object('url', url, 'events', events, 'isActive', is_active,
    'signatureVersion', signature_version, 'retrySchedule', retry_schedule) AS snapshot FROM configurations`;

async function readEdited(databases: Databases): Promise<Map<string, unknown>> {
  const rows = [
    ...(await rowsOf<{ id: string; snapshot: Record<string, unknown> }>(databases.webhooks, CONFIGURATIONS)),
    ...(await readMerchantStates(databases)),
  ];
  return new Map(
    rows.flatMap(({ id, snapshot }) =>
      Object.entries(snapshot).map(([name, value]) => [`${id} ${name}`, value] as const),
    ),
  );
}
