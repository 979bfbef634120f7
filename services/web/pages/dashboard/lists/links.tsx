import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../parts/button/button.tsx';
import { Icon } from '../../parts/icon/icon.tsx';

/** The main button of a list's page. */
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

/** Leads from a page back to its list. */
export function BackLink({ to, text }: BackLinkProps) {
  return (
    <Link to={to} search={{}}>
      ← {text}
    </Link>
  );
}
