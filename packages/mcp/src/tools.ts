import { api, type Endpoint, meta, schemaOf } from '@plataforma/contracts';
import { z } from 'zod';
import type { Settings } from './settings.ts';

/**
 * A tool that calls one endpoint and has the endpoint's name. Only endpoints that accept an API key have a
 * tool.
 */
export interface Tool {
  name: string;
  endpoint: Endpoint;
  reads: boolean;
  /**
   * True if the tool changes data in production, or sends data to a stranger's address. The call then waits
   * for a confirmation.
   */
  needsConfirmation: boolean;
  /**
   * True if a person must approve each call in the client, with any body. A confirmation that the model
   * passes on is not enough.
   */
  needsPerson: boolean;
  /**
   * The fields that the model may change without a person's approval. A body with any other field needs
   * approval. Undefined if the decision does not depend on the fields.
   */
  freeFields: readonly string[] | undefined;
  input: z.ZodObject;
  output: z.ZodType;
}

/**
 * Production changes that need no approval by a person, because they send no money and do not change the
 * receiver of money or events.
 */
const WITHOUT_PERSON: ReadonlySet<string> = new Set([
  'createCharge',
  'cancelCharge',
  'createPaymentLink',
  'changePaymentLink',
]);

/**
 * Fields of a payment link that may change without a person's approval. A change of texts or addresses needs
 * approval, because it would reach buyers who already have the link.
 */
const FREE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  changePaymentLink: ['isActive', 'uses', 'expiresAt'],
};

/** POST endpoints that store nothing, so their tools count as reads. */
const READS_BY_POST: ReadonlySet<string> = new Set(['createQuote', 'decodeQr']);

/**
 * Reads that send a request to an address that a stranger chose. A stranger's text may have made the model
 * put data into the path of the address.
 */
const READS_OF_STRANGERS: ReadonlySet<string> = new Set(['decodeQr']);

export function toolsFor(settings: Pick<Settings, 'isLive' | 'mayWrite'>): Tool[] {
  return Object.entries(api)
    .filter(([, endpoint]) => isOffered(endpoint, settings))
    .map(([name, endpoint]) => toolOf(name, endpoint, settings))
    .filter(({ reads }) => reads || settings.mayWrite);
}

/**
 * Returns false for endpoints with secrets, which must not enter a conversation, and for file uploads, which
 * an argument cannot contain.
 */
function isOffered(endpoint: Endpoint, { isLive }: Pick<Settings, 'isLive'>): boolean {
  if (endpoint.access.kind !== 'merchant' || endpoint.carriesSecret || endpoint.takesFile) return false;
  return !(isLive && isOfSandbox(endpoint));
}

function isOfSandbox({ path }: Endpoint): boolean {
  return path.startsWith('/v1/sandbox/') || path.endsWith('/simulate-payment');
}

function toolOf(name: string, endpoint: Endpoint, { isLive }: Pick<Settings, 'isLive'>): Tool {
  const reads = endpoint.method === 'get' || READS_BY_POST.has(name);
  const needsConfirmation = isLive && (!reads || READS_OF_STRANGERS.has(name));
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

const idempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .optional()
  .meta({
    description:
      'Omit it, and the server creates one. After a call without an answer, send the key from its ' +
      'failure, so that nothing is done twice.',
  });
const confirm = z
  .string()
  .optional()
  .meta({
    description:
      'Omit it in the first call. The answer then describes the change. If the client does not ask the ' +
      'person itself, the answer also contains the value to send here after the person agrees.',
  });

/**
 * Returns the schema of a tool's arguments. Path and query parameters are at the top level, and the body is
 * in the field `body`.
 */
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
