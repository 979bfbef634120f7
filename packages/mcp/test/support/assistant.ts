import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { z } from 'zod';

const PROGRAM = join(__dirname, '../../src/main.ts');

interface Answered {
  isError: boolean;
  text: string;
}

/** A client that starts an MCP server and calls its tools, as an AI assistant does. */
export interface Assistant {
  client: Client;
  call(tool: string, args?: Record<string, unknown>): Promise<Answered>;
  /** Calls a tool and returns its answer as JSON. Throws if the tool refuses the call. */
  ask(tool: string, args?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Returns the text that the server wrote to standard error. */
  log(): string;
}

interface Options {
  baseUrl: string;
  key: string;
  args?: string[];
  mode?: 'auto' | 'legacy';
  /** The path of the server's packed program. If absent, the test runs the source. */
  program?: string;
  /** Answers a question in place of the person. Absent if the client cannot ask questions. */
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
