import { z } from 'zod';
import { type Definition, endpointsOf, reads, writes } from '../endpoint.ts';
import { exampleId } from '../example-ids.ts';
import { count, id, timestamp } from '../fields.ts';
import { fileTypes, MAX_FILE_BYTES, newFile } from '../forms/new-file.ts';

/** The bytes of a form beside its file: boundaries, names, two short fields. */
const FORM_BYTES = 16 * 1024;

export const file = z
  .object({
    id,
    purpose: z.literal('dispute_evidence'),
    disputeId: id,
    name: z.string().meta({
      description:
        'As you sent it, without folders, control characters and marks that turn its direction; it ends as its type does.',
      example: 'entrega-1001.pdf',
    }),
    type: z.enum(fileTypes).meta({ description: 'What the bytes are.' }),
    size: count.meta({ description: 'In bytes.', example: 48_213 }),
    createdAt: timestamp,
  })
  .meta({ id: 'File' });

export type FileView = z.infer<typeof file>;

export const fileBytes = [
  {
    mediaType: 'application/octet-stream',
    description: 'The bytes, as a download (`Content-Disposition: attachment`) under the name of the file.',
    example: '%PDF-1.7 …',
  },
] as const;

export const files = endpointsOf('charges', {
  createFile: {
    route: 'POST /v1/files',
    access: writes('charges:write', 'disputes:write'),
    summary: 'Add a file to the evidence of a dispute',
    description:
      'A form (`multipart/form-data`) with `purpose`, `disputeId` and `file`; no other request takes one. The dispute is OPEN ' +
      'and before its deadline. It has at most five files, which go to its provider with the evidence (`POST ' +
      '/v1/disputes/{id}/evidence`); until that is sent they can be deleted, and afterwards they stay as they are. Files ' +
      'are kept encrypted, as long as their dispute. In the sandbox all files of a merchant together have at most 100 MB, in production what the installation says (5 GB unless it says otherwise). With the same `Idempotency-Key` and the same form a file is added once.',
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
    description: 'What it is; with `Accept: application/octet-stream` its bytes.',
    data: file,
    alsoAs: fileBytes,
  },

  deleteFile: {
    route: 'DELETE /v1/files/:id',
    access: writes('charges:write', 'disputes:write'),
    summary: 'Delete a file of the evidence',
    description: 'While its dispute is OPEN and before its deadline; evidence that was sent stays as it is.',
    data: z.object({ message: z.string() }),
    errors: ['INVALID_STATE'],
  },
} as const satisfies Record<string, Definition>);
