import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Busboy } from '@fastify/busboy';
import type { Endpoint } from '@plataforma/contracts';
import { Refusal } from '@plataforma/kernel';
import { boundaryOf } from './body-type.ts';
import { refuseCardNumber } from './card-number.ts';
import { readWhole } from './whole-body.ts';

export type Form = Record<string, string | File>;

/**
 * The factor by which a form may take longer to arrive than other bodies, because phones send files slowly.
 */
export const FORM_TIMEOUT_FACTOR = 2.5;

const LIMITS = {
  ...{ files: 1, fields: 8, parts: 9 },
  ...{ fieldNameSize: 64, fieldSize: 1024, headerPairs: 8, headerSize: 4 * 1024 },
};

/** Reads a form of at most one file and a few short texts, and refuses any other content. */
export async function readForm(
  req: IncomingMessage,
  res: ServerResponse,
  endpoint: Pick<Endpoint, 'access' | 'fromProvider' | 'maxBodyBytes' | 'takesFile'>,
): Promise<Form> {
  const body = await readWhole(req, res, endpoint);
  return body ? partsOf(body, boundaryOf(req)) : {};
}

function partsOf(body: Buffer, boundary: string): Promise<Form> {
  const { promise, resolve, reject } = Promise.withResolvers<Form>();
  const fields = new Map<string, string | File>();
  const refuse = (message: string) => reject(new Refusal('invalid', 'VALIDATION_ERROR', message));
  const addField = (name: string, part: string | File) => {
    if (fields.has(name)) refuse('body: has a field twice');
    fields.set(name, part);
  };
  const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` };
  const busboy = new Busboy({ headers, limits: LIMITS });
  busboy.on('field', (...[name, text, isNameCut, isTextCut]) => {
    if (isNameCut || isTextCut) refuse('body: has a field that is too long');
    else addField(name, text);
  });
  busboy.on('file', (name, stream, fileName) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => addField(name, new File(chunks, fileName ?? '')));
    // If a file ends too early, busboy also emits an error for the whole form, and that error refuses the
    // request. So this error is ignored.
    stream.on('error', () => undefined);
  });
  for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const) {
    busboy.on(limit, () => refuse('body: may hold one file and a few fields'));
  }
  busboy.on('error', () => refuse('body: is not a well-formed form'));
  busboy.on('finish', () => resolve(Object.fromEntries(fields)));
  busboy.end(body);
  return promise;
}

/** Refuses card numbers in names of files, which are free text. */
export function refuseCardsInNames(form: Form): void {
  for (const [field, part] of Object.entries(form)) {
    if (typeof part !== 'string') refuseCardNumber(field, part.name);
  }
}

/**
 * Returns the form with its files replaced by their names and digests, so that two forms with equal content
 * compare as equal.
 */
export async function digestsOf(form: Form): Promise<Record<string, unknown>> {
  const fields = Object.entries(form).map(async ([name, part]) => {
    if (typeof part === 'string') return [name, part];
    const bytes = Buffer.from(await part.arrayBuffer());
    return [name, { name: part.name, sha256: createHash('sha256').update(bytes).digest('base64url') }];
  });
  return Object.fromEntries(await Promise.all(fields));
}
