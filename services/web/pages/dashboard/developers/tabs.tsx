import { Link } from '@tanstack/react-router';
import { Tabs, tabClass } from '../../components/tabs/tabs.tsx';
import { useWords } from '../../shared/language.ts';
import { GuideLink } from '../guide/guide-link.tsx';
import styles from './developers.module.css';
import { developerWords } from './words.ts';

const docsClass = `${tabClass} ${styles.docs}`;

export function DeveloperTabs() {
  const words = useWords(developerWords);
  const tabs = [
    { to: '/developers', text: words.start },
    { to: '/developers/keys', text: words.apiKeys },
    { to: '/developers/webhooks', text: words.webhooks },
    { to: '/developers/events', text: words.events },
    { to: '/developers/requests', text: words.requests },
  ] as const;
  return (
    <Tabs label={words.developers}>
      {tabs.map(({ to, text }) => (
        <Link key={to} to={to} className={tabClass} activeOptions={{ exact: to === '/developers' }}>
          {text}
        </Link>
      ))}
      <GuideLink to="all" className={docsClass} />
    </Tabs>
  );
}
