import { Refusal } from '@plataforma/kernel';
import type { z } from 'zod';

/** `value` as `schema` reads it, or a VALIDATION_ERROR whose message names the first wrong field. */
export function validate<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [first] = result.error.issues;
  // Of a number beyond the integers of JavaScript zod says that first (in a note), and then what is allowed.
  const isSaid = (issue: z.core.$ZodIssue) => !('note' in issue) && issue.path.join() === first?.path.join();
  const issue = result.error.issues.find(isSaid) ?? first;
  throw new Refusal('invalid', 'VALIDATION_ERROR', issue ? describe(issue, value) : 'the request is invalid');
}

function describe(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === 'unrecognized_keys') return `${issue.keys[0]}: is not a known parameter`;
  const field = issue.path.join('.') || 'body';
  return `${field}: ${reasonOf(issue, valueAt(value, issue.path))}`;
}

const typeNames = new Map([
  ['int', 'an integer'],
  ['number', 'a number'],
  ['string', 'a text'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['boolean', 'true or false'],
]);

function reasonOf(issue: z.core.$ZodIssue, value: unknown): string {
  if (value === undefined || value === '') return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeNames.get(issue.expected) ?? `of type ${issue.expected}`}`;
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'is required';
      return `must ${isLength(issue.origin) ? 'have' : 'be'} at least ${issue.minimum}${unitOf(issue.origin)}`;
    case 'too_big':
      return `must ${isLength(issue.origin) ? 'have' : 'be'} at most ${issue.maximum}${unitOf(issue.origin)}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      return issue.message.startsWith('Invalid') ? `must be a valid ${issue.format}` : issue.message;
    default:
      return issue.message;
  }
}

function isLength(origin: string): boolean {
  return origin === 'string' || origin === 'array';
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' entries' : '';
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}
