/** @jsxImportSource preact */
import { renderToString } from 'preact-render-to-string';
import tokens from '../shared/tokens.css?inline';
import { Checkout } from './checkout.tsx';

export const css = tokens;

export function render(): string {
  return renderToString(<Checkout />);
}
