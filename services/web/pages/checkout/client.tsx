/** @jsxImportSource preact */
import { hydrate } from 'preact';
import { sayWhenSlow } from '../shared/slow.ts';
import { LiveCharge, LiveVisit } from './live.tsx';
import type { State, VisitState } from './state.ts';
import { words } from './words.ts';

const root = document.getElementById('root');
const text = document.getElementById('state')?.textContent;
if (root && text) {
  const state: State | VisitState = JSON.parse(text);
  // Removes the refusal from the address, so that a reload shows the current visit without the refusal.
  if (location.search.includes('refused=')) history.replaceState(null, '', `?lang=${state.language}`);
  addEventListener('submit', () => sayWhenSlow(words[state.language].slow));
  hydrate('visit' in state ? <LiveVisit state={state} /> : <LiveCharge state={state} />, root);
}
