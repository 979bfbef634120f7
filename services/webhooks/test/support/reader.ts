import { callerTo } from '@plataforma/testing/world';
import { z } from 'zod';

const answer = z.object({
  status: z.int(),
  success: z.boolean(),
  data: z.unknown().optional(),
  meta: z
    .object({
      total: z.int(),
      page: z.int(),
      limit: z.int(),
      pages: z.int(),
      totalIsCapped: z.literal(true).optional(),
      next: z.string().optional(),
    })
    .optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});

export type Read = z.infer<typeof answer>;

export async function read(url: string, headers: Record<string, string>): Promise<Read> {
  return answer.parse(await callerTo(url)('', { headers }));
}
