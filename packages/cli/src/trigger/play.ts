import { setTimeout as sleep } from 'node:timers/promises';
import { isRecord } from '../records.ts';
import { WrongUse } from '../wrong-use.ts';
import type { Fixture, Step } from './fixtures.ts';

/** Values for the steps' placeholders, from the command line and from the responses of earlier steps. */
export type Values = Record<string, unknown>;

export interface Playing {
  send(request: { method: string; path: string; body?: unknown }): Promise<unknown>;
  isRefusal(error: unknown, codes: readonly string[]): boolean;
  onStep(line: { method: string; path: string; answer: unknown }): void;
  /** Reports the step during which the signal aborted. The API may have executed that step. */
  onStop(line: { method: string; path: string }): void;
  signal: AbortSignal;
}

const TIMEOUT_MS = 20_000;
const AGAIN_AFTER_MS = 150;
const HOLE = /\{\{([\w.]+)\}\}/g;

/** Sends the steps' requests in order, and returns the responses of the steps that have a name. */
export async function play({ steps }: Fixture, given: Values, playing: Playing): Promise<Values> {
  const values: Values = { ...given };
  const answers: Values = {};
  for (const step of steps) {
    const [method = '', path = ''] = String(filled(step.call, values)).split(' ');
    const body = step.body && { body: filled(step.body, values) };
    const answer = await retryStep(step, playing, () => playing.send({ method, path, ...body })).catch(
      (error) => {
        if (!playing.signal.aborted) throw error;
        playing.onStop({ method, path });
        throw playing.signal.reason;
      },
    );
    playing.onStep({ method, path, answer });
    if (step.name === undefined) continue;
    values[step.name] = answer;
    answers[step.name] = answer;
  }
  return answers;
}

/**
 * Repeats a step after a refusal whose code is in `retryOn`, for at most 20 seconds. A refused request has
 * changed nothing.
 */
async function retryStep<T>({ retryOn = [] }: Step, playing: Playing, call: () => Promise<T>): Promise<T> {
  const until = Date.now() + TIMEOUT_MS;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!playing.isRefusal(error, retryOn) || Date.now() > until) throw error;
      await sleep(AGAIN_AFTER_MS, undefined, { signal: playing.signal });
    }
  }
}

/**
 * Replaces placeholders by values. If a text is only one placeholder, the result keeps the value's type, such
 * as a number.
 */
function filled(value: unknown, values: Values): unknown {
  if (Array.isArray(value)) return value.map((each) => filled(each, values));
  if (isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each, values)]));
  }
  if (typeof value !== 'string') return value;
  const whole = /^\{\{([\w.]+)\}\}$/.exec(value);
  if (whole?.[1]) return valueAt(whole[1], values);
  return value.replace(HOLE, (_hole, path: string) => String(valueAt(path, values)));
}

function valueAt(path: string, values: Values): unknown {
  const value = path.split('.').reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), values);
  if (value === undefined) throw new WrongUse(`{{${path}}}`);
  return value;
}

/** Returns the fixture in a file if it has the format of `trigger --print`. Otherwise throws WrongUse. */
export function fixtureOf(value: unknown, file: string): Fixture {
  if (isRecord(value) && Array.isArray(value.steps)) {
    return { event: typeof value.event === 'string' ? value.event : file, steps: value.steps.map(stepOf) };
  }
  throw new WrongUse(`${file}: {"steps": [{"call": "POST /v1/charges", "body": {…}}]}`);
}

function stepOf(value: unknown): Step {
  if (
    !isRecord(value) ||
    typeof value.call !== 'string' ||
    !/^(GET|POST|PATCH|DELETE) \/v1\//.test(value.call)
  )
    throw new WrongUse(`"call": "POST /v1/charges"; ${JSON.stringify(value)}`);
  const { call, name, body, retryOn } = value;
  return {
    call,
    ...(typeof name === 'string' && { name }),
    ...(isRecord(body) && { body }),
    ...(Array.isArray(retryOn) && { retryOn: retryOn.map(String) }),
  };
}
