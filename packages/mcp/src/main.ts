#!/usr/bin/env node
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { requireApi } from '@plataforma/cli/addresses';
import { WrongUse } from '@plataforma/cli/wrong-use';
import { createTransport } from '@plataforma/sdk/transport';
import type { CallReport } from './call-tool.ts';
import { createServer } from './server.ts';
import { readSettings, type Settings } from './settings.ts';

/** Logs to standard error, because the protocol uses standard output. */
function report(call: CallReport): void {
  console.error(JSON.stringify({ time: new Date().toISOString(), ...call }));
}

const words = {
  notApi: (url: string, api: string | null) =>
    `${url} is the dashboard, not the API: set PLATAFORMA_URL${api === null ? ' to the API’s address' : `=${api}`}`,
};

async function serve(settings: Settings): Promise<void> {
  // With this timeout three attempts end within a minute, and most clients wait for a minute.
  const { json: call } = createTransport({ ...settings, timeoutMs: 15_000 });
  await requireApi(settings.baseUrl, words);
  serveStdio(({ era }) => createServer({ settings, call, report }, era));
}

async function main(): Promise<void> {
  try {
    await serve(readSettings(process.argv.slice(2), process.env));
  } catch (error) {
    // The SDK throws a TypeError for an insecure address, because it sends no API key to such an address.
    if (!(error instanceof WrongUse || error instanceof TypeError)) throw error;
    console.error(`plataforma-mcp: ${error.message}`);
    process.exitCode = 2;
  }
}

main();
