/** @jsxImportSource preact */
import { hydrate } from 'preact';
import { writtenIn } from './card-fields.ts';
import { LiveCard } from './live-card.tsx';
import type { VisitState } from './state.ts';

const root = document.getElementById('root');
const text = document.getElementById('state')?.textContent;
if (root && text) {
  const state: VisitState = JSON.parse(text);
  // Whoever was quicker than this script, or whose browser filled the form, keeps what is there.
  hydrate(<LiveCard state={state} written={writtenIn(root)} />, root);
}
