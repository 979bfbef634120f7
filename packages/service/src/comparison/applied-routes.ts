import type { Database } from '@plataforma/data';
import { producersFor, type Subscriber, verdicts } from '@plataforma/events';
import { type Router, readBody, requireService, type Verifier, validate } from '@plataforma/http';
import type { SignaturePolicy } from '@plataforma/messaging';
import {
  findComparedPosition,
  findMissing,
  moveComparedPosition,
  type Sender,
  sumReceived,
} from '@plataforma/tables';
import {
  APPLIED_PATH,
  type AppliedAnswer,
  type AppliedQuestion,
  appliedQuestion,
  comparedTypes,
} from './contract.ts';

interface AppliedRoutes {
  verifier: Verifier;
  database: Database;
  subscriber: Subscriber;
  signaturePolicy: Pick<SignaturePolicy, 'accepts'>;
  /** Returns true if events that were published long ago may still arrive. */
  isBehind: () => Promise<boolean>;
}

/** Lists for a producer which of its events this service has applied or stored as dead letters. */
export function appliedRoutes(
  router: Router,
  { verifier, subscriber, ...dependencies }: AppliedRoutes,
): void {
  const producers = producersFor(subscriber);
  if (producers.length === 0) return;
  const accepted = verdicts.filter(dependencies.signaturePolicy.accepts);
  router.post(APPLIED_PATH, readBody(), async (req, res) => {
    const producer = requireService(req, verifier, ...producers);
    const sender = { producer, types: comparedTypes(producer, subscriber), verdicts: accepted };
    const data = await answerTo(validate(appliedQuestion, req.body ?? {}), sender, dependencies);
    res.json({ success: true, data });
  });
}

async function answerTo(
  question: AppliedQuestion,
  sender: Sender,
  { database, isBehind }: Pick<AppliedRoutes, 'database' | 'isBehind'>,
): Promise<AppliedAnswer> {
  const { producer } = sender;
  const { range } = question;
  const position = await findComparedPosition(database, producer);
  const answer = { position, missing: [], types: [...sender.types] };
  if (position !== null && position < question.position) return { ...answer, is: 'restored' };
  if ('ids' in question) {
    const missing = await findMissing(database, question.ids, sender);
    if (range) await moveComparedPosition(database, producer, range.before);
    return { ...answer, missing, is: missing.length > 0 && (await isBehind()) ? 'behind' : 'listed' };
  }
  const received = await sumReceived(database, question.range, sender);
  const { published } = question;
  if (received.count === published.count && received.sum === published.sum) {
    await moveComparedPosition(database, producer, question.range.before);
    return { ...answer, is: 'equal' };
  }
  return { ...answer, is: (await isBehind()) ? 'behind' : 'different' };
}
