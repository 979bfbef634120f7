import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';

export type Arguments = Record<string, unknown>;

/** A tool's arguments as the contract describes them, passed on as they came: what they mean is the API's to say. */
export function inputSchema(schema: z.ZodType): StandardSchemaWithJSON<Arguments, Arguments> {
  const { $schema: _draft, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => shorten(jsonSchema),
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

/** The format says it; a kilobyte of pattern beside it costs tokens, and says no more. `param` is for OpenAPI. */
function shorten(json: { format?: string | undefined; pattern?: unknown; param?: unknown }): void {
  if (json.format !== undefined) delete json.pattern;
  delete json.param;
}

function isArguments(value: unknown): value is Arguments {
  return typeof value === 'object' && value !== null;
}
