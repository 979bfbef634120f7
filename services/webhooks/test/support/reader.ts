import { z } from 'zod';

const answer = z.object({
  success: z.boolean(),
  data: z.unknown().optional(),
  meta: z.object({ total: z.int(), page: z.int(), limit: z.int(), pages: z.int() }).optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});

export type Read = z.infer<typeof answer> & { status: number };

/** Reads a path of the service. */
export async function read(url: string, headers: Record<string, string>): Promise<Read> {
  const response = await fetch(url, { headers });
  return { status: response.status, ...answer.parse(await response.json()) };
}
