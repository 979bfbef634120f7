import { z } from 'zod';
import { idOf } from '../fields.ts';

export const MAX_FILE_BYTES = 2 * 1024 * 1024;
/** The maximum number of files of one dispute. */
export const MAX_FILES = 5;
/**
 * The limit in bytes of all files of a merchant in the sandbox. The limit in production is a setting
 * (FILE_QUOTA_MB).
 */
export const MAX_SANDBOX_FILE_BYTES = 100_000_000;

/** The media types of files. The first bytes of a file decide its type. */
export const fileTypes = ['application/pdf', 'image/png', 'image/jpeg'] as const;
export type EvidenceType = (typeof fileTypes)[number];

export const newFile = z.object({
  purpose: z.literal('dispute_evidence').meta({ description: 'Purpose of the file.' }),
  disputeId: idOf().meta({
    description: 'Id of an OPEN dispute of yours. The file becomes part of its evidence.',
    example: '01930b12-9c40-7a35-8e17-5d0b3c9f7a02',
  }),
  file: z
    .file()
    .min(1)
    .meta({
      description:
        'PDF, PNG or JPEG file of at most 2 MiB, with its name. The bytes determine the type; the type in ' +
        'the form is ignored.',
    }),
});
