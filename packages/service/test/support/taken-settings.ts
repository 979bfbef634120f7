import { z } from 'zod';
import { serviceSettings, takeConfig } from '../../src/index.ts';

/** Prints the settings that the process has read, and the environment variables that remain. */
const config = takeConfig(z.object({ ...serviceSettings, NODE_ENV: z.string() }), process.env);
process.stdout.write(JSON.stringify({ config, env: process.env }));
