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

/** Every type an endpoint answers in; it prefers the first one. */
const typesOf = ({ alsoAs = [] }: Endpoint) => [JSON_TYPE, ...alsoAs.map(({ mediaType }) => mediaType)];

/** The type of the answer (RFC 9110, 12.5.1); null where the caller takes none that the endpoint has. */
export function answerTypeOf(req: IncomingMessage, endpoint: Endpoint): string | null {
  // A provider's client is not ours to mend, and nothing is in the answer to its callback.
  if (endpoint.fromProvider) return JSON_TYPE;
  return preferredType(headerOf(req, 'accept'), typesOf(endpoint));
}

export function requireAcceptable(req: IncomingMessage, endpoint: Endpoint): void {
  if (answerTypeOf(req, endpoint) !== null) return;
  const types = typesOf(endpoint).join(', ');
  throw new Refusal('not_acceptable', 'NOT_ACCEPTABLE', `Accept: this path answers in ${types} only`);
}

/** The most specific range decides about a type. Of equal qualities the caller's order does, then that of the types. */
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

/** A quoted parameter may hold commas. One quote that is never closed is a character like others. */
const BETWEEN_COMMAS = /(?:"[^"]*"|[^,])+/g;

/** Parameters such as `charset` narrow nothing here, and a range that is none is passed over. */
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

/** 2 of a type, 1 of all types of a kind, 0 of everything. */
const specificity = (range: string) => 2 - range.split('*').length + 1;
