import { z } from 'zod';
import { email } from '../party.ts';

/** The body of a merchant's or an operator's log-in. The rules of a password apply only where it is set. */
export const credentials = z.object({ email, password: z.string().min(1).max(1024) });
