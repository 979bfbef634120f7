import {
  acceptedContent,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/**
 * The answer of the person who uses the client. The client asks the person directly, so the model cannot
 * answer.
 */
export interface Person {
  /** The confirmation code of the question that the person approved. Undefined without an approval. */
  confirm: string | undefined;
  hasDeclined: boolean;
}

interface Answered {
  inputResponses?: Record<string, unknown>;
  requestState: () => unknown;
}

const form = z.object({ approved: z.boolean().meta({ title: 'I have read this and approve it' }) });
const KEY = 'approval';

const capabilities = z.looseObject({
  elicitation: z.looseObject({ form: z.unknown(), url: z.unknown() }).partial().optional(),
});

/**
 * Returns true if the client can show a form to its user. A client that supports questions but names no kind
 * of question supports forms.
 */
export function canAsk(declared: unknown): boolean {
  const elicitation = capabilities.safeParse(declared).data?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

export function personAt({ inputResponses, requestState }: Answered): Person {
  const isAnswered = inputResponse(inputResponses, KEY).kind === 'elicit';
  const hasAgreed = acceptedContent(inputResponses, KEY, form)?.approved === true;
  const state = requestState();
  return {
    confirm: hasAgreed && typeof state === 'string' ? state : undefined,
    hasDeclined: isAnswered && !hasAgreed,
  };
}

export function question(message: string, confirm: string): InputRequiredResult {
  const elicited = inputRequired.elicit({ message, requestedSchema: form });
  return inputRequired({ inputRequests: { [KEY]: elicited }, requestState: confirm });
}
