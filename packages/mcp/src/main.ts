#!/usr/bin/env node
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createTransport } from '@plataforma/sdk/transport';
import type { CallReport } from './call-tool.ts';
import { createServer } from './server.ts';
import { readSettings, type Settings, WrongUse } from './settings.ts';

/** Standard output is the protocol's. */
function report(call: CallReport): void {
  console.error(JSON.stringify({ time: new Date().toISOString(), ...call }));
}

function serve(settings: Settings): void {
  const { json: call } = createTransport(settings);
  serveStdio(() => createServer({ settings, call, report }));
}

try {
  serve(readSettings(process.argv.slice(2), process.env));
} catch (error) {
  if (!(error instanceof WrongUse)) throw error;
  console.error(`plataforma-mcp: ${error.message}`);
  process.exitCode = 2;
}
