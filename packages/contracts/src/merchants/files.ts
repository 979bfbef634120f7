import { z } from 'zod';
import { timestamp } from '../days.ts';
import { type Definition, endpointsOf, reads, writes } from '../endpoint.ts';
import { exampleId } from '../example-ids.ts';
import { count, id } from '../fields.ts';
import { fileTypes, MAX_FILE_BYTES, newFile } from '../forms/new-file.ts';

/** The size of a form without its file, in bytes: boundaries, field names and two short fields. */
const FORM_BYTES = 16 * 1024;

export const file = z
  .object({
    id,
    purpose: z.literal('dispute_evidence'),
    disputeId: id,
    name: z.string().meta({
      description:
        'File name as you sent it, without folders, control characters and marks that change its ' +
        'direction. Its extension matches the file’s type.',
      example: 'entrega-1001.pdf',
    }),
    type: z.enum(fileTypes).meta({ description: 'File type, detected from the bytes.' }),
    size: count.meta({ description: 'Size in bytes.', example: 48_213 }),
    createdAt: timestamp,
  })
  .meta({ id: 'File' });

export type FileView = z.infer<typeof file>;

export const fileBytes = [
  {
    mediaType: 'application/octet-stream',
    description:
      'Bytes of the file as a download (`Content-Disposition: attachment`), under the file’s name.',
    example: '%PDF-1.7 …',
  },
] as const;

export const files = endpointsOf('charges', {
  createFile: {
    route: 'POST /v1/files',
    access: writes('charges:write', 'disputes:write'),
    summary: 'Add a file to the evidence of a dispute',
    description:
      'Takes a form (`multipart/form-data`) with `purpose`, `disputeId` and `file`; no other request ' +
      'accepts a form. The dispute must be OPEN and before its deadline. A dispute has at most five ' +
      'files, which go to its provider with the evidence (`POST /v1/disputes/{id}/evidence`). Files can ' +
      'be deleted until the evidence is sent, and can’t change afterwards. Files are stored encrypted for ' +
      'as long as their dispute. In the sandbox all files of a merchant together have at most 100 MB. In ' +
      'production the installation sets this limit (5 GB by default). A repeated request with the same ' +
      '`Idempotency-Key` and the same form adds the file once.',
    body: newFile,
    takesFile: true,
    examples: [
      {
        summary: 'A proof of delivery; `file` is the file itself',
        body: {
          purpose: 'dispute_evidence',
          disputeId: exampleId('Dispute'),
          file: 'entrega-1001.pdf',
        },
      },
    ],
    maxBodyBytes: MAX_FILE_BYTES + FORM_BYTES,
    status: 201,
    data: file,
    keyed: true,
    errors: ['NOT_FOUND', 'INVALID_STATE', 'FILE_LIMIT_REACHED'],
  },

  getFile: {
    route: 'GET /v1/files/:id',
    access: reads('charges:read', 'charges:write', 'disputes:write'),
    summary: 'Read a file of the evidence',
    description: 'Returns the file’s description, or its bytes with `Accept: application/octet-stream`.',
    data: file,
    alsoAs: fileBytes,
  },

  deleteFile: {
    route: 'DELETE /v1/files/:id',
    access: writes('charges:write', 'disputes:write'),
    summary: 'Delete a file of the evidence',
    description: 'Requires a dispute that is OPEN and before its deadline. Sent evidence can’t change.',
    data: z.object({ message: z.string() }),
    errors: ['INVALID_STATE'],
  },
} as const satisfies Record<string, Definition>);
