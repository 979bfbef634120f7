/** @jsxImportSource preact */
import { hydrate } from 'preact';
import { LiveCharge, LiveVisit } from './live.tsx';
import type { State, VisitState } from './state.ts';

const root = document.getElementById('root');
const text = document.getElementById('state')?.textContent;
if (root && text) {
  const state: State | VisitState = JSON.parse(text);
  // What was refused is said once: a reload shows the visit as it is then.
  if (location.search.includes('refused=')) history.replaceState(null, '', `?lang=${state.language}`);
  hydrate('visit' in state ? <LiveVisit state={state} /> : <LiveCharge state={state} />, root);
}
