import { z } from 'zod';
import { idOf } from '../fields.ts';

/** The limit of one file, in bytes; and the number of files of a dispute. */
export const MAX_FILE_BYTES = 2 * 1024 * 1024;
export const MAX_FILES = 5;
/** The limit of all files of one merchant in the sandbox, where it opens disputes itself. */
export const MAX_SANDBOX_FILE_BYTES = 100_000_000;

/** The types of a file, by its first bytes. */
export const fileTypes = ['application/pdf', 'image/png', 'image/jpeg'] as const;
export type EvidenceType = (typeof fileTypes)[number];

/** The fields of the form by which a file comes. */
export const newFile = z.object({
  purpose: z.literal('dispute_evidence').meta({ description: 'What the file is for.' }),
  disputeId: idOf().meta({
    description: 'An OPEN dispute of yours; the file is part of its evidence.',
    example: '01930b12-9c40-7a35-8e17-5d0b3c9f7a02',
  }),
  file: z.file().min(1).meta({
    description:
      'A PDF, PNG or JPEG of at most 2 MiB, and its name. Its bytes say what it is; the type that the form names is not looked at.',
  }),
});
