import type { LoggedRequestView } from '@plataforma/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Card } from '../../parts/card/card.tsx';
import layout from '../../parts/layout.module.css';
import { Time } from '../../parts/values/values.tsx';
import { RealTime } from '../../shared/clock.ts';
import { useWords } from '../../shared/language.ts';
import { Read } from '../read.tsx';
import { requestsAboutQuery } from './queries.ts';
import { RequestDialog } from './request-dialog.tsx';
import { Answer, Sent, ShowButton } from './request-values.tsx';
import styles from './requests.module.css';
import { requestWords } from './words.ts';

/** What the merchant's own system asked about an object, beside it. */
export function ObjectRequests({ id }: { id: string }) {
  const words = useWords(requestWords);
  const read = useQuery(requestsAboutQuery(id));
  const [shown, show] = useState<LoggedRequestView>();
  return (
    <Card title={words.about}>
      <Read of={read} lines={2}>
        {({ data }) => {
          if (data.length === 0) return <p className={layout.soft}>{words.noneAbout}</p>;
          return (
            <ul className={layout.list}>
              {data.map((each) => (
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
              ))}
            </ul>
          );
        }}
      </Read>
      {shown && <RequestDialog request={shown} onClose={() => show(undefined)} />}
    </Card>
  );
}
