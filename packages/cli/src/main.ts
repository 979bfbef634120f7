#!/usr/bin/env node
import { outputFailed, run } from './run.ts';
import { Stopped } from './wrong-use.ts';

const stopping = new AbortController();
// A second signal ends the process at once.
process.once('SIGINT', () => stopping.abort(new Stopped(130)));
process.once('SIGTERM', () => stopping.abort(new Stopped(143)));
const args = process.argv.slice(2);
process.stdout.on('error', (error) => process.exit(outputFailed(error, args)));
// Ignore errors of standard error, so that they do not change the exit code.
process.stderr.on('error', () => undefined);

const exitCode = await run(args, stopping.signal);
// Node reports an error of an earlier write before an empty write ends. Wait for an empty write, so that such
// an error sets the exit code.
await new Promise((resolve) => process.stdout.write('', resolve));
process.exit(exitCode);
