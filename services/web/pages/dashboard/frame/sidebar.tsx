import { Link } from '@tanstack/react-router';
import { Icon } from '../../components/icon/icon.tsx';
import { environment } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { useAccount } from '../session/session.ts';
import { AccountMenu } from './account-menu.tsx';
import { destinationsIn } from './destinations.ts';
import styles from './sidebar.module.css';
import { frameWords } from './words.ts';

export const SIDEBAR = 'sidebar';

/** The sidebar. On a phone it is a popover that the menu button opens. */
export function Sidebar({ onShowKeys }: { onShowKeys: () => void }) {
  const words = useWords(frameWords);
  return (
    <aside id={SIDEBAR} popover="auto" className={styles.sidebar}>
      <AccountMenu onShowKeys={onShowKeys} />
      <nav aria-label={words.menu} className={styles.nav}>
        {destinationsIn(environment).map(({ to, icon, word }) => (
          <Link
            key={word}
            to={to}
            className={styles.link}
            activeOptions={{ exact: to === '/', includeSearch: false }}
            onClick={(event) => event.currentTarget.closest<HTMLElement>(':popover-open')?.hidePopover()}
          >
            <Icon name={icon} />
            {words[word]}
          </Link>
        ))}
      </nav>
      <EnvironmentSwitch />
    </aside>
  );
}

/**
 * Links between the environments. The links load a new document, so that no data of this environment stays in
 * memory. For an account in review, the link to production opens the page about the review.
 */
function EnvironmentSwitch() {
  const words = useWords(frameWords);
  const toProduction = useAccount()?.status === 'PENDING' ? '/review' : '/';
  const isTest = environment === 'sandbox';
  return (
    <nav className={styles.switch} aria-label={words.environment}>
      <a href="/test" aria-current={isTest ? 'true' : undefined}>
        {words.test}
      </a>
      <a href={toProduction} aria-current={isTest ? undefined : 'true'}>
        {words.production}
      </a>
    </nav>
  );
}
