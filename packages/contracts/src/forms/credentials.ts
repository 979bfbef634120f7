import { z } from 'zod';
import { email } from '../party.ts';

/**
 * The body of a log-in of a merchant or an operator. The rules for passwords are checked only when a password
 * is set.
 */
export const credentials = z.object({ email, password: z.string().min(1).max(1024) });
