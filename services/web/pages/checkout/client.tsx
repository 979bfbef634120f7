/** @jsxImportSource preact */
import { hydrate } from 'preact';
import { Checkout } from './checkout.tsx';

const root = document.getElementById('root');
if (root) hydrate(<Checkout />, root);
