import { webAddress } from '@plataforma/kernel';
import { z } from 'zod';
import { visibleText } from '../fields.ts';

const MAX_DOCUMENTS = 20;
const HTTPS_URLS = 'must be https URLs without control characters and backslashes';

/** The body of a merchant's answer to a dispute. */
export const evidence = z.object({
  description: visibleText(255),
  documents: z
    .array(
      z
        .url({ protocol: /^https$/, error: HTTPS_URLS })
        .max(2048)
        .refine((address) => webAddress(address) !== null, HTTPS_URLS),
    )
    .max(MAX_DOCUMENTS)
    .default([])
    .meta({ description: 'URLs of documents, with https.' }),
});
