/** @jsxImportSource preact */
import { useEffect, useState } from 'preact/hooks';
import { Checkout } from './checkout.tsx';
import { type Charge, isSettled, type Stage, type State, stageOf } from './state.ts';

const TICK_MS = 1_000;
/** The net below the stream. */
const POLL_MS = 15_000;
const READ_TIMEOUT_MS = 10_000;
/** At zero the server is asked before the page says that the code has expired. */
const LATE_POLL_MS = 2_000;

/** The page, which follows its charge; time is the server's, measured from the answer on. */
export function Live({ state }: { state: State }) {
  const [charge, setCharge] = useState(state.charge);
  const [now, setNow] = useState(Date.parse(state.charge.serverTime));
  useEffect(() => follow(state.charge, { show: setCharge, tick: setNow }), [state]);
  return <Checkout {...state} charge={charge} now={now} />;
}

interface View {
  show(charge: Charge): void;
  tick(now: number): void;
}

function follow(first: Charge, { show, tick }: View): () => void {
  let charge = first;
  let readAt = performance.now();
  let isReading = false;
  let isStale = false;
  let askedAt = readAt;
  const now = () => Date.parse(charge.serverTime) + performance.now() - readAt;

  async function read(): Promise<void> {
    askedAt = performance.now();
    // What is told during a read may be younger than its answer: it is read once more.
    isStale = isReading;
    if (isReading) return;
    isReading = true;
    const signal = AbortSignal.timeout(READ_TIMEOUT_MS);
    const answer = await fetch(`${location.pathname}/state`, { cache: 'no-store', signal }).catch(() => null);
    if (answer?.ok) {
      charge = (await answer.json()).data;
      readAt = performance.now();
      show(charge);
      tick(now());
    }
    isReading = false;
    if (isStale) await read();
  }

  const stream = new EventSource(`${location.pathname}/stream`);
  stream.onmessage = read;
  stream.onopen = read;
  const clock = setInterval(() => {
    const stage = stageOf(charge, now());
    tick(now());
    if (performance.now() - askedAt >= patienceOf(stage)) read();
  }, TICK_MS);
  const back = () => document.visibilityState === 'visible' && read();
  document.addEventListener('visibilitychange', back);
  return () => {
    stream.close();
    clearInterval(clock);
    document.removeEventListener('visibilitychange', back);
  };
}

function patienceOf(stage: Stage): number {
  if (stage === 'late') return LATE_POLL_MS;
  return isSettled(stage) ? 4 * POLL_MS : POLL_MS;
}
