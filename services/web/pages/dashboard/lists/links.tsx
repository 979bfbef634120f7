import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { buttonClass } from '../../components/button/button.tsx';
import { Icon } from '../../components/icon/icon.tsx';
import { rowLink } from '../../components/table/table.tsx';

export function CreateLink({
  to,
  text,
}: {
  to: `/${'charges' | 'withdrawals' | 'payment-links'}/new`;
  text: string;
}) {
  return (
    <Link to={to} className={buttonClass('primary')}>
      <Icon name="plus" />
      {text}
    </Link>
  );
}

interface BackLinkProps {
  to: '/charges' | '/withdrawals' | '/payment-links' | '/disputes';
  text: string;
}

export function BackLink({ to, text }: BackLinkProps) {
  return (
    <Link to={to} search={{}}>
      ← {text}
    </Link>
  );
}

interface RowLinkProps {
  to: `/${'charges' | 'disputes' | 'withdrawals' | 'payment-links' | `developers/${'webhooks' | 'deliveries'}`}/$id`;
  id: string;
  /** The name that screen readers read, for a link whose text does not identify the row. */
  name?: string;
  children: ReactNode;
}

/** A link that covers the whole row of a table and leads to the row's object. */
export function RowLink({ to, id, name, children }: RowLinkProps) {
  return (
    <Link to={to} params={{ id }} className={rowLink} aria-label={name}>
      {children}
    </Link>
  );
}
