import { unwrapped } from '@plataforma/kernel';
import { z } from 'zod';

const MAX_CODE_LENGTH = 512;

export const qrCode = z.object({
  brCode: z.string().overwrite(unwrapped).min(1).max(MAX_CODE_LENGTH).meta({
    description: 'Text of the QR code. Line breaks and invisible characters are removed.',
  }),
});
