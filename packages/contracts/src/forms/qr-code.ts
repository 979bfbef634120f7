import { unwrapped } from '@plataforma/kernel';
import { z } from 'zod';

const MAX_CODE_LENGTH = 512;

/** The body of a code that is to be read before it is paid. */
export const qrCode = z.object({
  brCode: z.string().overwrite(unwrapped).min(1).max(MAX_CODE_LENGTH).meta({
    description: 'The text behind the QR code. Line breaks and invisible characters in it are removed.',
  }),
});
