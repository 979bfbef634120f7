import type { IncomingMessage } from 'node:http';
import type { Endpoint } from '@plataforma/contracts';
import { Refusal } from '@plataforma/kernel';
import { headerOf } from './follow.ts';

interface MediaRange {
  type: string;
  quality: number;
  index: number;
}

const JSON_TYPE = 'application/json';

/** The media types of an endpoint's answers, in its order of preference. */
const typesOf = ({ alsoAs = [] }: Endpoint) => [JSON_TYPE, ...alsoAs.map(({ mediaType }) => mediaType)];

/**
 * Returns the type of the answer (RFC 9110, 12.5.1), or null when the caller accepts no type of the endpoint.
 */
export function answerTypeOf(req: IncomingMessage, endpoint: Endpoint): string | null {
  // A provider's `Accept` is ignored, because its client is not ours and needs nothing from the answer.
  if (endpoint.fromProvider) return JSON_TYPE;
  return preferredType(headerOf(req, 'accept'), typesOf(endpoint));
}

export function requireAcceptable(req: IncomingMessage, endpoint: Endpoint): void {
  if (answerTypeOf(req, endpoint) !== null) return;
  const types = typesOf(endpoint).join(', ');
  throw new Refusal('not_acceptable', 'NOT_ACCEPTABLE', `Accept: this path answers in ${types} only`);
}

/**
 * Returns the type that the caller prefers, or null. The most specific range that matches a type gives it its
 * quality. Ties go to the more specific range, then to the caller's order, then to the order of `types`.
 */
export function preferredType(accept: string | undefined, types: readonly string[]): string | null {
  const ranges = rangesIn(accept ?? '');
  if (ranges.length === 0) return accept?.trim() ? null : (types[0] ?? null);
  const rated = types.flatMap((type) => {
    const [range] = ranges
      .filter((one) => matches(one.type, type))
      .toSorted((one, other) => specificity(other.type) - specificity(one.type));
    return range && range.quality > 0 ? [{ type, range }] : [];
  });
  const [best] = rated.toSorted(
    ({ range: one }, { range: other }) =>
      other.quality - one.quality ||
      specificity(other.type) - specificity(one.type) ||
      one.index - other.index,
  );
  return best?.type ?? null;
}

/** Matches the ranges between commas; commas in quotes do not separate, unless the quote is never closed. */
const BETWEEN_COMMAS = /(?:"[^"]*"|[^,])+/g;

/** Ignores parameters other than `q`, such as `charset`, and skips malformed ranges. */
function rangesIn(accept: string): MediaRange[] {
  return (accept.match(BETWEEN_COMMAS) ?? []).flatMap((range, index) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    if (!/^(?:\*\/\*|[\w!#$&^.+-]+\/(?:\*|[\w!#$&^.+-]+))$/.test(type)) return [];
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
    const quality = weight === undefined ? 1 : Number(weight.replace(/^q\s*=\s*/, ''));
    return [{ type, quality: quality >= 0 ? Math.min(quality, 1) : 1, index }];
  });
}

function matches(range: string, type: string): boolean {
  return range === '*/*' || range === type || range === `${type.split('/')[0]}/*`;
}

/** Returns 2 for one type, 1 for all types of a kind, and 0 for all types. */
const specificity = (range: string) => 2 - range.split('*').length + 1;
