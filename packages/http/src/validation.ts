import { Refusal } from '@plataforma/kernel';
import type { z } from 'zod';

/**
 * Returns `value` as parsed by `schema`. Refuses an invalid value with VALIDATION_ERROR and names the first
 * wrong field.
 */
export function validate<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw refusalOf(result.error.issues, value);
}

/** Validates a JSON body. A field counts as left out if it is `null` and the schema refuses null. */
export function validateBody<T extends z.ZodType>(schema: T, body: unknown): z.infer<T> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const { issues } = result.error;
  const rest = withoutNulls(body, issues);
  if (rest === undefined) throw refusalOf(issues, body);
  return validateBody(schema, rest);
}

/**
 * Returns the body without the top-level fields that are `null` although the schema refuses null. Returns
 * undefined if the body has no such field.
 */
function withoutNulls(body: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  if (typeof body !== 'object' || body === null) return undefined;
  const refused = new Set(issues.filter(({ path }) => path.length === 1).map(({ path }) => path[0]));
  const fields = Object.entries(body);
  const rest = fields.filter(([name, value]) => value !== null || !refused.has(name));
  return rest.length < fields.length ? Object.fromEntries(rest) : undefined;
}

function refusalOf(issues: readonly z.core.$ZodIssue[], value: unknown): Refusal {
  const [first] = issues;
  // For a number beyond JavaScript's safe integers, zod lists two issues. The first has a `note`. The message
  // uses the second issue, because it names the allowed range.
  const isSaid = (issue: z.core.$ZodIssue) => !('note' in issue) && issue.path.join() === first?.path.join();
  const issue = issues.find(isSaid) ?? first;
  return new Refusal(
    'invalid',
    'VALIDATION_ERROR',
    issue ? describe(issue, value) : 'the request is invalid',
  );
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
  if (origin === 'file') return ' bytes';
  return origin === 'array' ? ' entries' : '';
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}
