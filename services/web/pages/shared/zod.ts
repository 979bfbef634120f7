import { config } from 'zod/v4';

export * from 'zod/v4';

// Replaces zod before any schema, because zod otherwise tries `new Function`, which the pages' policy
// reports.
config({ jitless: true });
