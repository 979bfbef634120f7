import { config } from 'zod/v4';

export * from 'zod/v4';

// In place of zod, before any schema: it otherwise tries `new Function` once, which the policy of the pages reports.
config({ jitless: true });
