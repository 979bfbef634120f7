/** @jsxImportSource preact */
import { useEffect, useState } from 'preact/hooks';
import { Checkout } from './checkout.tsx';
import { titleOf } from './frame.tsx';
import {
  type CheckoutStep,
  chargeIn,
  isFinal,
  type State,
  stepOf,
  tabStepOf,
  type Visit,
  type VisitState,
} from './state.ts';
import { VisitPage } from './visit.tsx';

const TICK_MS = 1_000;
/** The page polls at this interval, in case the stream is lost. */
const POLL_MS = 15_000;
const READ_TIMEOUT_MS = 10_000;
/**
 * The polling interval after the countdown reaches zero. The page shows that the code has expired only after
 * the server says so.
 */
const LATE_POLL_MS = 2_000;

interface Dated {
  serverTime: string;
}

/**
 * The page of a charge, which follows the charge's changes. `now` is the server's time in the last answer
 * plus the time that has passed since.
 */
export function LiveCharge({ state }: { state: State }) {
  const [charge, now] = useLive(state.charge, stepOf);
  useTitle(titleOf(charge, state.language, stepOf(charge, now)));
  return <Checkout {...state} charge={charge} now={now} />;
}

/** The page of a visit. The text of a refusal disappears once the state of the visit changes. */
export function LiveVisit({ state }: { state: VisitState }) {
  const [visit, now] = useLive(state.visit, stepOfVisit);
  useTitle(titleOf(visit, state.language, tabStepOf(visit, now)));
  const refused = visit.state === state.visit.state ? state.refused : '';
  return <VisitPage {...state} visit={visit} now={now} refused={refused} />;
}

/** Shows the payment's state in the title of the tab, which stays visible while the bank's page is open. */
function useTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}

export function stepOfVisit(visit: Visit, now: number): CheckoutStep {
  const charge = chargeIn(visit);
  return charge ? stepOf(charge, now) : 'waiting';
}

export function useLive<Shown extends Dated>(
  first: Shown,
  stepAt: (shown: Shown, now: number) => CheckoutStep,
): [Shown, number] {
  const [shown, setShown] = useState(first);
  const [now, setNow] = useState(Date.parse(first.serverTime));
  useEffect(
    () => follow(first, { stepAt, show: (next) => setShown(() => next), tick: setNow }),
    [first, stepAt],
  );
  return [shown, now];
}

interface View<Shown> {
  stepAt(shown: Shown, now: number): CheckoutStep;
  show(shown: Shown): void;
  tick(now: number): void;
}

function follow<Shown extends Dated>(first: Shown, { stepAt, show, tick }: View<Shown>): () => void {
  let shown = first;
  let readAt = performance.now();
  let isReading = false;
  let isStale = false;
  let requestedAt = readAt;
  // The path of the card form is the visit's path plus `/card`.
  const page = location.pathname.replace(/\/card$/, '');
  const now = () => Date.parse(shown.serverTime) + performance.now() - readAt;

  async function read(): Promise<void> {
    requestedAt = performance.now();
    // A message that arrives during a read may be newer than the answer of that read, so the page reads once
    // more.
    isStale = isReading;
    if (isReading) return;
    isReading = true;
    const signal = AbortSignal.timeout(READ_TIMEOUT_MS);
    // The timeout may also end the body, after the head has arrived.
    const body = await fetch(`${page}/state`, { cache: 'no-store', signal })
      .then((answer) => (answer.ok ? answer.json() : null))
      .catch(() => null);
    if (body) {
      shown = body.data;
      readAt = performance.now();
      show(shown);
      tick(now());
    }
    isReading = false;
    if (isStale) await read();
  }

  const stream = new EventSource(`${page}/stream`);
  stream.onmessage = read;
  stream.onopen = read;
  const clock = setInterval(() => {
    const step = stepAt(shown, now());
    tick(now());
    if (performance.now() - requestedAt >= pollIntervalOf(step)) read();
  }, TICK_MS);
  const back = () => document.visibilityState === 'visible' && read();
  document.addEventListener('visibilitychange', back);
  return () => {
    stream.close();
    clearInterval(clock);
    document.removeEventListener('visibilitychange', back);
  };
}

function pollIntervalOf(step: CheckoutStep): number {
  if (step === 'late') return LATE_POLL_MS;
  return isFinal(step) ? 4 * POLL_MS : POLL_MS;
}
