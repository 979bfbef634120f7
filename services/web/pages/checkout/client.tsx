/** @jsxImportSource preact */
import { hydrate } from 'preact';
import { LiveCharge, LiveVisit } from './live.tsx';
import type { State, VisitState } from './state.ts';

const root = document.getElementById('root');
const text = document.getElementById('state')?.textContent;
if (root && text) {
  const state: State | VisitState = JSON.parse(text);
  hydrate('visit' in state ? <LiveVisit state={state} /> : <LiveCharge state={state} />, root);
}
