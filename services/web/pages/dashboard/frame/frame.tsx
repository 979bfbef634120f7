import { BANK_TIME_ZONE } from '@plataforma/kernel/time-zones';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Notice } from '../../components/states/states.tsx';
import { SupportText } from '../../components/support-text/support-text.tsx';
import { Toasts } from '../../components/toast/toast.tsx';
import { environment } from '../../shared/api.ts';
import { RealTime } from '../../shared/clock.ts';
import { useWords } from '../../shared/language.ts';
import { startLive } from '../../shared/live.ts';
import { Zone } from '../../shared/zone.ts';
import { queryClient } from '../query-client.ts';
import { clockQuery } from '../sandbox/queries.ts';
import { LogInOver } from '../session/log-in-over.tsx';
import { useAccount } from '../session/session.ts';
import styles from './frame.module.css';
import { keepFocus } from './keep-focus.ts';
import { OfflineBar } from './offline.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { Sidebar } from './sidebar.tsx';
import { Topbar } from './topbar.tsx';
import { frameWords } from './words.ts';

/** The query that polls the sandbox's clock while any page is open. */
const followedClock = { ...clockQuery, enabled: environment === 'sandbox', notifyOnChangeProps: [] };

export function Frame() {
  const words = useWords(frameWords);
  const [isShowingKeys, showKeys] = useState(false);
  useEffect(() => startLive(queryClient), []);
  useEffect(keepFocus, []);
  useQuery(followedClock);
  // A gateway of release 0.6.0 returns accounts without a time zone.
  const zone = useAccount()?.timeZone ?? BANK_TIME_ZONE;
  // Pages for developers show the real time and not the sandbox's clock, because keys, events and deliveries
  // use the real time.
  const isReal = useLocation({ select: ({ pathname }) => /^(\/test)?\/developers(\/|$)/.test(pathname) });
  return (
    <div className={styles.frame} data-environment={environment}>
      <a href="#content" className={styles.skip}>
        {words.skip}
      </a>
      {environment === 'sandbox' && (
        <section className={styles.test} aria-label={words.environment}>
          {words.testBar}
        </section>
      )}
      <Sidebar onShowKeys={() => showKeys(true)} />
      <div className={styles.main}>
        <Topbar />
        <OfflineBar />
        <main id="content" className={styles.content} tabIndex={-1}>
          <AccountBar />
          <Zone value={zone}>
            <RealTime value={isReal}>
              <Outlet />
            </RealTime>
          </Zone>
        </main>
      </div>
      <Shortcuts isShown={isShowingKeys} onShow={showKeys} />
      <LogInOver />
      <Toasts />
    </div>
  );
}

/** Shows a warning above every page when the account's status restricts the account. */
function AccountBar() {
  const words = useWords(frameWords);
  const status = useAccount()?.status;
  if (status === 'SUSPENDED') return <StatusNotice text={words.suspended} />;
  return status === 'REJECTED' ? <StatusNotice text={words.rejected} /> : null;
}

function StatusNotice({ text }: { text: string }) {
  return (
    <Notice tone="bad">
      <span>
        <SupportText text={text} />
      </span>
    </Notice>
  );
}
