import { type Environment, environments } from '@plataforma/kernel';

/** One request as its client saw it. */
export interface Call {
  /** Counted over the run. */
  number: number;
  /** Who sent it, such as `merchant 2` or `operator`. */
  actor: string;
  /** Of the API key it came with; without one it has none. */
  environment?: Environment;
  /** What for, such as `create-charge`: a word each. */
  action: string;
  /** Names the intent: a client that asks again because it got no answer sends the same once more. */
  intent: string;
  method: string;
  path: string;
  idempotencyKey: string | null;
  body: Record<string, unknown> | null;
  /** Milliseconds of the epoch. */
  startedAt: number;
  endedAt: number;
  /** Null: there was no answer, and whether it was done is unknown. */
  status: number | null;
  /** The answer as JSON; null when there was none. */
  answer: Record<string, unknown> | null;
}

/** What all clients saw, in the order in which their calls ended. */
export interface History {
  readonly calls: readonly Call[];
  record(call: Omit<Call, 'number'>): void;
}

export function openHistory(): History {
  const calls: Call[] = [];
  return {
    calls,
    record(call) {
      calls.push({ number: calls.length + 1, ...call });
    },
  };
}

const prefixes = { sandbox: 'sk_sandbox_', production: 'sk_live_' } as const;

/** As an API key says in its first letters. */
export function environmentOf(headers: Record<string, string>): Pick<Call, 'environment'> {
  const key = headers['x-api-key'] ?? '';
  const environment = environments.find((name) => key.startsWith(prefixes[name]));
  return environment ? { environment } : {};
}
