import { z } from 'zod';
import { visibleText } from '../fields.ts';

const MAX_DOCUMENTS = 20;

/** The body of the answer to a dispute. */
export const evidence = z.object({
  description: visibleText(255),
  documents: z
    .array(z.url({ protocol: /^https$/, error: 'must be https URLs' }).max(2048))
    .max(MAX_DOCUMENTS)
    .default([])
    .meta({ description: 'https addresses of documents.' }),
});
