import { Link } from '@tanstack/react-router';
import { Tabs, tabClass } from '../../parts/tabs/tabs.tsx';
import { useWords } from '../../shared/language.ts';
import { GuideLink } from '../guide/guide-link.tsx';
import styles from './developers.module.css';
import { developerWords } from './words.ts';

const docsClass = `${tabClass} ${styles.docs}`;

/** What the pages for developers have in common, under their one title. */
export function DeveloperTabs() {
  const { developers, tabs } = useWords(developerWords);
  const exact = { exact: true };
  return (
    <Tabs label={developers}>
      <Link to="/developers" className={tabClass} activeOptions={exact}>
        {tabs.home}
      </Link>
      <Link to="/developers/keys" className={tabClass}>
        {tabs.keys}
      </Link>
      <Link to="/developers/webhooks" className={tabClass}>
        {tabs.webhooks}
      </Link>
      <Link to="/developers/events" className={tabClass}>
        {tabs.events}
      </Link>
      <Link to="/developers/requests" className={tabClass}>
        {tabs.requests}
      </Link>
      <GuideLink to="all" className={docsClass} />
    </Tabs>
  );
}
