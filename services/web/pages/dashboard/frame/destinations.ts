import type { LinkProps } from '@tanstack/react-router';
import type { IconName } from '../../components/icon/icon.tsx';
import type { Environment } from '../../shared/environment.ts';

interface Destination {
  to: NonNullable<LinkProps['to']>;
  icon: IconName;
  /** The name of the sidebar's text. It is also the name of the page's folder. */
  word:
    | 'home'
    | 'charges'
    | 'payment-links'
    | 'refunds'
    | 'disputes'
    | 'balance'
    | 'withdrawals'
    | 'developers'
    | 'sandbox'
    | 'settings';
  /** The key of the shortcut, which the user presses after `g`. */
  key: string;
  /** The only environment with this destination. Without a value, both environments have the destination. */
  only?: Environment;
}

const destinations: readonly Destination[] = [
  { to: '/', icon: 'home', word: 'home', key: 'h' },
  { to: '/charges', icon: 'charges', word: 'charges', key: 'c' },
  { to: '/payment-links', icon: 'paymentLinks', word: 'payment-links', key: 'p' },
  { to: '/refunds', icon: 'refunds', word: 'refunds', key: 'r' },
  { to: '/disputes', icon: 'disputes', word: 'disputes', key: 'd' },
  { to: '/balance', icon: 'balance', word: 'balance', key: 'b' },
  { to: '/withdrawals', icon: 'withdrawals', word: 'withdrawals', key: 'w' },
  { to: '/developers', icon: 'developers', word: 'developers', key: 'e' },
  { to: '/sandbox', icon: 'sandbox', word: 'sandbox', key: 't', only: 'sandbox' },
  { to: '/settings', icon: 'settings', word: 'settings', key: 's' },
];

/**
 * Returns the destinations of an environment, in the sidebar's order. The keyboard shortcuts use the same
 * list.
 */
export function destinationsIn(environment: Environment): readonly Destination[] {
  return destinations.filter(({ only }) => only === undefined || only === environment);
}
