import { type Environment, environments } from '@plataforma/kernel';

export interface Call {
  number: number;
  /** The sender, such as `merchant 2` or `operator`. */
  actor: string;
  /** The environment of the API key; absent without a key. */
  environment?: Environment;
  /** The purpose, such as `create-charge`. */
  action: string;
  /** Identifies the intent. A retry has the same one. */
  intent: string;
  method: string;
  path: string;
  idempotencyKey: string | null;
  body: Record<string, unknown> | null;
  /** Milliseconds of the epoch. */
  startedAt: number;
  endedAt: number;
  /** Null: there was no response, so that the outcome is unknown. */
  status: number | null;
  answer: Record<string, unknown> | null;
}

/** The calls of all clients, in the order in which they ended. */
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

/** Returns the environment that the prefix of an API key names. */
export function environmentOf(headers: Record<string, string>): Pick<Call, 'environment'> {
  const key = headers['x-api-key'] ?? '';
  const environment = environments.find((name) => key.startsWith(prefixes[name]));
  return environment ? { environment } : {};
}
