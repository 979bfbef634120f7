import { type Environment, environments } from '@plataforma/kernel';

export interface Call {
  number: number;
  /** The sender of the call, such as `merchant 2` or `operator`. */
  actor: string;
  /** The environment of the call's API key. Absent for a call without an API key. */
  environment?: Environment;
  /** The name of the action, such as `create-charge`. */
  action: string;
  /** Identifies the intent of the call. All retries of a request have the same intent. */
  intent: string;
  method: string;
  path: string;
  idempotencyKey: string | null;
  body: Record<string, unknown> | null;
  /** Milliseconds since 1970, like `endedAt`. */
  startedAt: number;
  endedAt: number;
  /** The HTTP status. Null means that no response arrived, so the outcome is unknown. */
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

/** Returns the environment, which the prefix of the request's API key shows. */
export function environmentOf(headers: Record<string, string>): Pick<Call, 'environment'> {
  const key = headers['x-api-key'] ?? '';
  const environment = environments.find((name) => key.startsWith(prefixes[name]));
  return environment ? { environment } : {};
}
