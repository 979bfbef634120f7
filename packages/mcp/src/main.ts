#!/usr/bin/env node
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { WrongUse } from '@plataforma/cli/wrong-use';
import { createTransport } from '@plataforma/sdk/transport';
import type { CallReport } from './call-tool.ts';
import { createServer } from './server.ts';
import { readSettings, type Settings } from './settings.ts';

/** Standard output is the protocol's. */
function report(call: CallReport): void {
  console.error(JSON.stringify({ time: new Date().toISOString(), ...call }));
}

function serve(settings: Settings): void {
  // Three tries end within the minute that most clients wait.
  const { json: call } = createTransport({ ...settings, timeoutMs: 15_000 });
  serveStdio(({ era }) => createServer({ settings, call, report }, era));
}

try {
  serve(readSettings(process.argv.slice(2), process.env));
} catch (error) {
  // A `TypeError` is the SDK's, of an address that no key goes to.
  if (!(error instanceof WrongUse || error instanceof TypeError)) throw error;
  console.error(`plataforma-mcp: ${error.message}`);
  process.exitCode = 2;
}
