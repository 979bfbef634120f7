import { z } from 'zod';
import { password } from '../party.ts';

/** Returns the schema of a password change. `newPassword` is the schema of the new password. */
export function passwordChangeOf(newPassword: z.ZodString) {
  return z
    .object({ currentPassword: z.string().min(1).max(1024), newPassword })
    .refine((change) => change.currentPassword !== change.newPassword, {
      path: ['newPassword'],
      message: 'must be another one than currentPassword',
    });
}

export const passwordChange = passwordChangeOf(password);
