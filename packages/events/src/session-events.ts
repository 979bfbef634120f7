import { z } from 'zod';

/** Sent by the gateway when a merchant's session ends; the aggregate is the session. */
export const sessionEvents = { 'session.ended': z.object({}) };
