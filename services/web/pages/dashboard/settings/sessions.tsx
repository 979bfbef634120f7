import type { SessionView } from '@plataforma/contracts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Badge } from '../../components/badge/badge.tsx';
import { Button, RowButton } from '../../components/button/button.tsx';
import { Card } from '../../components/card/card.tsx';
import { type Column, Table } from '../../components/table/table.tsx';
import { Time } from '../../components/values/values.tsx';
import { call } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { ConfirmChange } from '../changes/confirm-change.tsx';
import { Read } from '../read.tsx';
import { browserNameOf } from './browser-name.ts';
import styles from './settings.module.css';
import { settingsWords } from './words.ts';

const sessionsQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => call('GET /v1/auth/sessions', { query: { limit: 100 } }),
});

/** The sessions that the user ends: one of them, or all except the session of this page. */
type Ending = SessionView | 'others';

/** Lists the newest hundred sessions. Older sessions can only be ended together with all others. */
export function Sessions() {
  const words = useWords(settingsWords);
  const read = useQuery(sessionsQuery);
  const [ending, setEnding] = useState<Ending>();
  const columns = useColumns(setEnding);
  const hasOthers = (read.data?.meta.total ?? 0) > 1;
  return (
    <Card
      title={words.sessions}
      action={hasOthers && <Button onClick={() => setEnding('others')}>{words.endOthers}</Button>}
      isFlush
    >
      <p className={styles.lead}>{words.sessionsText}</p>
      <Read of={read} lines={3}>
        {({ data }) => (
          <Table
            label={words.sessions}
            columns={columns}
            rows={data}
            keyOf={({ id }) => id}
            isReading={read.isFetching}
          />
        )}
      </Read>
      {ending && <EndDialog ending={ending} onClose={() => setEnding(undefined)} />}
    </Card>
  );
}

function useColumns(onEnd: (session: SessionView) => void): Column<SessionView>[] {
  const words = useWords(settingsWords);
  const nameOf = useDeviceName();
  return [
    { label: words.device, phone: 'first', cell: nameOf },
    { label: words.ipAddress, phone: 'second', cell: ({ address }) => address ?? '–' },
    {
      label: words.lastUsed,
      phone: 'firstEnd',
      cell: ({ lastUsedAt }) => <Time at={lastUsedAt} isRelative />,
    },
    { label: words.opened, isWide: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      label: words.actions,
      isEnd: true,
      phone: 'secondEnd',
      cell: (session) =>
        session.isCurrent ? (
          <Badge tone="good">{words.thisSession}</Badge>
        ) : (
          <RowButton
            text={words.end}
            label={`${words.end}: ${nameOf(session)}`}
            onClick={() => onEnd(session)}
          />
        ),
    },
  ];
}

function useDeviceName(): (session: SessionView) => string {
  const words = useWords(settingsWords);
  return ({ userAgent }) => {
    if (userAgent === null) return words.unknownDevice;
    const { browser, system } = browserNameOf(userAgent);
    return system === undefined ? browser : words.on(browser, system);
  };
}

function EndDialog({ ending, onClose }: { ending: Ending; onClose: () => void }) {
  const words = useWords(settingsWords);
  const nameOf = useDeviceName();
  const isOne = ending !== 'others';
  return (
    <ConfirmChange
      send={async () => {
        if (isOne) await call('DELETE /v1/auth/sessions/:id', { params: { id: ending.id } });
        else await call('DELETE /v1/auth/sessions');
      }}
      changes={['session']}
      done={isOne ? words.sessionEnded : words.othersEnded}
      title={isOne ? words.endTitle(nameOf(ending)) : words.endOthersTitle}
      action={isOne ? words.end : words.endOthers}
      isDangerous
      onClose={onClose}
    >
      {isOne ? words.endText : words.endOthersText}
    </ConfirmChange>
  );
}
