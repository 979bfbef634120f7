import { api, type Endpoint, schemaOf } from '@plataforma/contracts';
import { meta } from '@plataforma/contracts/fields';
import { z } from 'zod';
import type { Settings } from './settings.ts';

/** A tool with the name of its endpoint, which accepts an API key. */
export interface Tool {
  name: string;
  endpoint: Endpoint;
  reads: boolean;
  /** True for a change in production, which waits for a confirmation. */
  needsConfirmation: boolean;
  /**
   * True if a person must confirm each call directly, whatever its body contains. The model's word is not
   * enough.
   */
  needsPerson: boolean;
  /**
   * The fields that need no confirmation by a person. A body with any other field does. Undefined if the body
   * does not matter.
   */
  freeFields: readonly string[] | undefined;
  input: z.ZodObject;
  output: z.ZodType;
}

/** Changes in production that send no money and change no receiver of money or events. */
const WITHOUT_PERSON: ReadonlySet<string> = new Set([
  'createCharge',
  'cancelCharge',
  'createPaymentLink',
  'changePaymentLink',
]);

/** Buyers already have the link's address, so that only a person can confirm new texts and addresses. */
const FREE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  changePaymentLink: ['isActive', 'uses', 'expiresAt'],
};

/** These requests have a body but store nothing. */
const READS_BY_POST: ReadonlySet<string> = new Set(['createQuote', 'decodeQr']);

export function toolsFor(settings: Pick<Settings, 'isLive' | 'mayWrite'>): Tool[] {
  return Object.entries(api)
    .filter(([, endpoint]) => isOffered(endpoint, settings))
    .map(([name, endpoint]) => toolOf(name, endpoint, settings))
    .filter(({ reads }) => reads || settings.mayWrite);
}

/** Excludes secrets, which must not enter a conversation, and files, which no argument can contain. */
function isOffered(endpoint: Endpoint, { isLive }: Pick<Settings, 'isLive'>): boolean {
  if (endpoint.access.kind !== 'merchant' || endpoint.carriesSecret || endpoint.takesFile) return false;
  return !(isLive && isOfSandbox(endpoint));
}

function isOfSandbox({ path }: Endpoint): boolean {
  return path.startsWith('/v1/sandbox/') || path.endsWith('/simulate-payment');
}

function toolOf(name: string, endpoint: Endpoint, { isLive }: Pick<Settings, 'isLive'>): Tool {
  const reads = endpoint.method === 'get' || READS_BY_POST.has(name);
  const needsConfirmation = isLive && !reads;
  const needsPerson = needsConfirmation && !WITHOUT_PERSON.has(name);
  const input = inputOf(endpoint, needsConfirmation && !needsPerson);
  const confirmation = { needsConfirmation, needsPerson, freeFields: FREE_FIELDS[name] };
  return { name, endpoint, reads, ...confirmation, input, output: outputOf(endpoint) };
}

const next = z.string().optional().meta({ format: 'cursor' });

function outputOf({ data, otherStatus, paged }: Endpoint): z.ZodType {
  if (paged) return z.object({ data: z.array(data), meta: meta.extend({ next }) });
  return otherStatus?.data ? z.union([data, otherStatus.data]) : data;
}

const idempotencyKey = z.string().min(1).max(255).optional().meta({
  description:
    'Made by itself. After no answer came, send the one that the failure names: nothing is done twice.',
});
const confirm = z
  .string()
  .optional()
  .meta({
    description:
      'Left out at first: the answer says what would happen, and, where the client does not ask the ' +
      'person itself, what to send here once they have agreed.',
  });

/** Returns the schema of the arguments: parameters and query together, the body under its name. */
function inputOf(endpoint: Endpoint, takesConfirmation: boolean): z.ZodObject {
  const { keyed } = endpoint;
  return z.strictObject({
    ...shapeOf(schemaOf(endpoint, 'params')),
    ...shapeOf(schemaOf(endpoint, 'query')),
    ...(endpoint.body && { body: bodyOf(endpoint.body) }),
    ...(keyed && { idempotencyKey }),
    ...(takesConfirmation && { confirm }),
  });
}

function bodyOf(body: z.ZodType): z.ZodType {
  return body.safeParse({}).success ? body.optional() : body;
}

function shapeOf(schema: z.ZodType): z.ZodRawShape {
  return schema instanceof z.ZodObject ? schema.shape : {};
}
