import type { DisputeView } from '@plataforma/contracts';
import { call } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { isOver, type Play, PlayMenu } from '../sandbox/play-menu.tsx';
import { sandboxWords } from '../sandbox/words.ts';

const CHANGES = ['dispute', 'charge', 'balance', 'refund'];
const ends = {
  MERCHANT: 'RESOLVED_MERCHANT',
  CUSTOMER: 'RESOLVED_CUSTOMER',
  CANCELLED: 'CANCELLED',
} as const;
const outcomes = ['MERCHANT', 'CUSTOMER', 'CANCELLED'] as const;
type Outcome = (typeof outcomes)[number];

export function PlayDispute({ dispute: { id, resolvedAt } }: { dispute: DisputeView }) {
  const { dispute: words, decided } = useWords(sandboxWords);
  if (resolvedAt !== null) return null;
  const plays = outcomes.map(
    (outcome): Play => ({ ...words[outcome], send: () => resolve(id, outcome, decided) }),
  );
  return <PlayMenu plays={plays} changes={CHANGES} />;
}

/**
 * Ends a dispute in the sandbox. Ignores a refusal if the dispute already has this outcome, because then an
 * earlier attempt or another window ended the dispute.
 */
async function resolve(id: string, outcome: Outcome, resolution: string): Promise<void> {
  const params = { id };
  try {
    await call('POST /v1/sandbox/disputes/:id/resolve', { params, body: { outcome, resolution } });
  } catch (error) {
    if (!isOver(error)) throw error;
    const { status } = await call('GET /v1/disputes/:id', { params });
    if (status !== ends[outcome]) throw error;
  }
}
