#!/usr/bin/env node
import { run } from './run.ts';
import { Stopped } from './stopped.ts';

const stopping = new AbortController();
// The second one ends it whatever it is doing.
process.once('SIGINT', () => stopping.abort(new Stopped(130)));
process.once('SIGTERM', () => stopping.abort(new Stopped(143)));
// Who reads no further, as `head` does, wants nothing more.
process.stdout.on('error', () => process.exit(0));

process.exit(await run(process.argv.slice(2), stopping.signal));
