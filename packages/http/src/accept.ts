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

/** The media types in which an endpoint can answer; the endpoint prefers the first. */
const typesOf = ({ alsoAs = [] }: Endpoint) => [JSON_TYPE, ...alsoAs.map(({ mediaType }) => mediaType)];

/**
 * Returns the media type of the answer (RFC 9110, 12.5.1). Returns null when the caller accepts none of the
 * endpoint's media types.
 */
export function answerTypeOf(req: IncomingMessage, endpoint: Endpoint): string | null {
  // Ignores the `Accept` header of a provider, because the provider reads nothing from our answer.
  if (endpoint.fromProvider) return JSON_TYPE;
  return preferredType(headerOf(req, 'accept'), typesOf(endpoint));
}

export function requireAcceptable(req: IncomingMessage, endpoint: Endpoint): void {
  if (answerTypeOf(req, endpoint) !== null) return;
  const types = typesOf(endpoint).join(', ');
  throw new Refusal('not_acceptable', 'NOT_ACCEPTABLE', `Accept: this path answers in ${types} only`);
}

/**
 * Returns the type that the caller prefers, or null. The most specific range that matches a type gives the
 * type its quality. Between types of equal quality, the type with the more specific range wins. After that,
 * the order in `accept` decides, and then the order in `types`.
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

/**
 * Matches each range between commas. A comma inside quotes does not separate two ranges, unless the closing
 * quote is missing.
 */
const BETWEEN_COMMAS = /(?:"[^"]*"|[^,])+/g;

/** Reads the ranges of the header. Ignores all their parameters except `q`, and skips malformed ranges. */
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

/** Returns 2 for a full type (`text/csv`), 1 for `text/*`, and 0 for any type. */
const specificity = (range: string) => 2 - range.split('*').length + 1;
