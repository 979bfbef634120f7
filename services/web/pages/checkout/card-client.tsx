/** @jsxImportSource preact */
import { hydrate } from 'preact';
import { CardPage } from './card-page.tsx';
import type { VisitState } from './state.ts';

const root = document.getElementById('root');
const text = document.getElementById('state')?.textContent;
if (root && text) {
  const state: VisitState = JSON.parse(text);
  hydrate(<CardPage {...state} />, root);
}
