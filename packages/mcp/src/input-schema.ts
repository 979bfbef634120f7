import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { publishPattern } from '@plataforma/api-docs/portable';
import { z } from 'zod';

export type Arguments = Record<string, unknown>;

/**
 * Returns the schema of a tool's arguments for the client. The server passes the arguments on unchecked,
 * because the API validates them.
 */
export function inputSchema(schema: z.ZodType): StandardSchemaWithJSON<Arguments, Arguments> {
  const { $schema: _draft, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => publish(jsonSchema),
  });
  return {
    '~standard': {
      version: 1,
      vendor: 'plataforma',
      validate: (value) => {
        const { error } = schema.safeParse(value);
        return error || !isArguments(value) ? { issues: error?.issues ?? [] } : { value };
      },
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}

/**
 * Converts or removes patterns that some model providers cannot compile, because such a provider would refuse
 * all tools. Removes `param`, which is only for OpenAPI.
 */
function publish(json: Parameters<typeof publishPattern>[0] & { param?: unknown }): void {
  publishPattern(json);
  delete json.param;
}

function isArguments(value: unknown): value is Arguments {
  return typeof value === 'object' && value !== null;
}
