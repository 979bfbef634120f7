import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { z } from 'zod';

const PROGRAM = join(__dirname, '../../src/main.ts');

interface Answered {
  isError: boolean;
  text: string;
}

/** Starts a server and calls its tools, as a person's assistant does. */
export interface Assistant {
  client: Client;
  call(tool: string, args?: Record<string, unknown>): Promise<Answered>;
  /** Calls a tool and returns its answer as JSON. A refusal throws. */
  ask(tool: string, args?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Returns the server's standard error. */
  log(): string;
}

interface Options {
  baseUrl: string;
  key: string;
  args?: string[];
  mode?: 'auto' | 'legacy';
  /** The program in a tarball. The default is the source. */
  program?: string;
  /** The person's answer to a question. Absent if the client can't ask. */
  approve?: (message: string) => boolean;
}

const content = z.tuple([z.object({ type: z.literal('text'), text: z.string() })]);
const result = z.looseObject({ content, isError: z.boolean().default(false) });
const record = z.record(z.string(), z.unknown());

export async function startAssistant({
  baseUrl,
  key,
  args = [],
  mode = 'legacy',
  program = PROGRAM,
  approve,
}: Options): Promise<Assistant> {
  const client = new Client(
    { name: 'test', version: '1' },
    {
      versionNegotiation: { mode },
      ...(approve && { capabilities: { elicitation: { form: {} } } }),
    },
  );
  if (approve) {
    client.setRequestHandler('elicitation/create', ({ params: { message } }) => ({
      action: 'accept',
      content: { approved: approve(message) },
    }));
  }
  const { TEST_COMPILE_CACHE = '' } = process.env;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, ...args],
    env: { NODE_COMPILE_CACHE: TEST_COMPILE_CACHE, PLATAFORMA_URL: baseUrl, PLATAFORMA_API_KEY: key },
    stderr: 'pipe',
  });
  let log = '';
  transport.stderr?.on('data', (chunk) => {
    log += chunk;
  });
  await client.connect(transport);
  async function call(name: string, given: Record<string, unknown> = {}) {
    const {
      content: [{ text }],
      isError,
    } = result.parse(await client.callTool({ name, arguments: given }));
    return { text, isError };
  }
  return {
    client,
    call,
    async ask(name, given) {
      const { text, isError } = await call(name, given);
      if (isError) throw new Error(`${name} was refused: ${text}`);
      return record.parse(JSON.parse(text));
    },
    log: () => log,
  };
}
