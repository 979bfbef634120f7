import type { LoggedRequestView } from '@plataforma/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import layout from '../../components/layout.module.css';
import { Time } from '../../components/values/values.tsx';
import { RealTime } from '../../shared/clock.ts';
import { useWords } from '../../shared/language.ts';
import { useHasKey } from '../api-keys/has-key.ts';
import { ListCard } from '../lists/list-card.tsx';
import { requestsAboutQuery } from './queries.ts';
import { RequestDialog } from './request-dialog.tsx';
import { Answer, Sent, ShowButton } from './request-values.tsx';
import styles from './requests.module.css';
import { requestWords } from './words.ts';

/** The API requests about this object. An account without an API key has none, and does not see the card. */
export function ObjectRequests({ id }: { id: string }) {
  return useHasKey() && <RequestsAbout id={id} />;
}

/** Lists the requests that the merchant's own programs sent. */
function RequestsAbout({ id }: { id: string }) {
  const words = useWords(requestWords);
  const [shown, show] = useState<LoggedRequestView>();
  return (
    <ListCard
      title={words.about}
      read={useQuery(requestsAboutQuery(id))}
      lines={2}
      none={words.noneAbout}
      after={shown && <RequestDialog request={shown} onClose={() => show(undefined)} />}
    >
      {(each) => (
        <li key={each.id} className={styles.item}>
          <Sent request={each} isShort />
          <Answer request={each} />
          <span className={layout.soft}>
            <RealTime value={true}>
              <Time at={each.createdAt} isRelative />
            </RealTime>
          </span>
          <ShowButton request={each} onShow={() => show(each)} />
        </li>
      )}
    </ListCard>
  );
}
