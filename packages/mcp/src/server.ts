import {
  CLIENT_CAPABILITIES_META_KEY,
  McpServer,
  type RegisteredTool,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type Caller, type CallReport, callTool } from './call-tool.ts';
import { CONFIRMATION_LASTS_MS, createIntents } from './confirmation.ts';
import { addDocsSearch } from './docs-search.ts';
import { inputSchema } from './input-schema.ts';
import { canAsk, personAt } from './person.ts';
import type { Settings } from './settings.ts';
import { READING_RULES } from './shown.ts';
import { type Tool, toolsFor } from './tools.ts';
import { VERSION } from './version.ts';

export interface ServerOptions {
  settings: Settings;
  call: Caller;
  report: (report: CallReport) => void;
}

/**
 * Creates the server of one connection. A `legacy` client declares its capabilities only after the connection
 * is open, so the tools that need a person's approval are disabled until then.
 */
export function createServer({ settings, call, report }: ServerOptions, era: 'modern' | 'legacy'): McpServer {
  const server = new McpServer(
    { name: 'plataforma', title: 'Plataforma', version: VERSION },
    {
      instructions: instructionsFor(settings),
      inputRequired: { roundTimeoutMs: CONFIRMATION_LASTS_MS },
      debouncedNotificationMethods: ['notifications/tools/list_changed'],
    },
  );
  const dependencies = { call, report, intents: createIntents() };
  const ofPersons: RegisteredTool[] = [];
  for (const tool of toolsFor(settings)) {
    const added = server.registerTool(tool.name, descriptionOf(tool), (args, { mcpReq }) => {
      const person = clientCanAsk(server, mcpReq) ? personAt(mcpReq) : null;
      return callTool(tool, args, { ...dependencies, person, signal: mcpReq.signal });
    });
    if (tool.needsPerson) ofPersons.push(added);
  }
  addDocsSearch(server, settings.baseUrl);
  if (era === 'legacy') {
    for (const tool of ofPersons) tool.disable();
    server.server.oninitialized = () => {
      if (canAsk(server.server.getClientCapabilities())) for (const tool of ofPersons) tool.enable();
    };
  }
  return server;
}

function clientCanAsk({ server }: McpServer, { envelope }: ServerContext['mcpReq']): boolean {
  const declared: Record<string, unknown> = { ...envelope };
  return canAsk(declared[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities());
}

function instructionsFor({ isLive, mayWrite }: Settings): string {
  const where = isLive ? 'PRODUCTION, with real people and real money' : 'the sandbox, where no money moves';
  return [
    `These tools work on a merchant's account at a payments platform of Brazil, in ${where}.`,
    mayWrite ? 'They read and change data.' : 'They only read: no tool changes anything.',
    READING_RULES,
    'A failure names its code, and the requestId to quote to support. searchDocs explains the API.',
  ].join(' ');
}

function descriptionOf({ endpoint, reads, input }: Tool) {
  const { summary, description, method } = endpoint;
  return {
    title: summary,
    description: description ? `${summary}. ${description}` : summary,
    inputSchema: inputSchema(input),
    annotations: {
      readOnlyHint: reads,
      // A request that only adds an object destroys nothing. Other changes, such as a payout, may be final.
      destructiveHint: !reads && !(method === 'post' && isAddition(endpoint.path)),
      idempotentHint: reads || method === 'patch' || method === 'delete',
      openWorldHint: true,
    },
  };
}

/**
 * Returns true if a POST only stores a new object or asks a buyer for money. All other POSTs act on an
 * existing object or send money.
 */
function isAddition(path: string): boolean {
  return /^\/v1\/(charges|payment-links|destinations|sandbox\/webhook-faults)$/.test(path);
}
