/** @jsxImportSource preact */
import { hydrate } from 'preact';
import { Live } from './live.tsx';
import type { State } from './state.ts';

const root = document.getElementById('root');
const text = document.getElementById('state')?.textContent;
if (root && text) {
  const state: State = JSON.parse(text);
  hydrate(<Live state={state} />, root);
}
