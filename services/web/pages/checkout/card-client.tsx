/** @jsxImportSource preact */
import { hydrate } from 'preact';
import { writtenIn } from './card-fields.ts';
import { LiveCard } from './live-card.tsx';
import type { VisitState } from './state.ts';

const root = document.getElementById('root');
const text = document.getElementById('state')?.textContent;
if (root && text) {
  const state: VisitState = JSON.parse(text);
  // Passes on the text that the buyer or the browser entered before this script ran, so that it is not lost.
  hydrate(<LiveCard state={state} written={writtenIn(root)} />, root);
}
