import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button/button.tsx';
import { Dialog } from '../../components/dialog/dialog.tsx';
import { Pager, Table } from '../../components/table/table.tsx';
import { Money } from '../../components/values/values.tsx';
import { day as dayText, money } from '../../shared/format.ts';
import { useLanguage, useWords } from '../../shared/language.ts';
import { methodWords } from '../../shared/statuses.ts';
import { useZone } from '../../shared/zone.ts';
import { ExportLink } from '../export/export-link.tsx';
import { RowLink } from '../lists/links.tsx';
import { Read } from '../read.tsx';
import type { Day } from './months.ts';
import { receivableItemsQuery } from './queries.ts';
import styles from './receivables.module.css';
import { balanceWords } from './words.ts';

/** Shows the charges whose money settles on a day, with links to them. */
export function ReceivablesOfDay({ day, onClose }: { day: Day; onClose: () => void }) {
  const words = useWords(balanceWords);
  const methods = useWords(methodWords);
  const [page, setPage] = useState(1);
  const { date, isSettled, amount } = day;
  const status = isSettled ? ('SETTLED' as const) : ('PENDING' as const);
  const query = { status, startDate: date, endDate: date };
  const read = useQuery(receivableItemsQuery({ ...query, page, timeZone: useZone() }));
  const text = dayText(date, useLanguage());
  const total = isSettled ? words.settledTotal : words.total;
  return (
    <Dialog title={`${text} · ${total(money(amount))}`} onClose={onClose} isWide>
      <Read of={read} lines={4}>
        {({ data, meta }) => (
          <div className={styles.items}>
            <Table
              label={words.chargesOf(text)}
              rows={data}
              keyOf={({ chargeId }) => chargeId}
              isReading={read.isFetching}
              columns={[
                {
                  label: words.order,
                  isWide: true,
                  phone: 'first',
                  cell: ({ chargeId, externalId }) => (
                    <RowLink to="/charges/$id" id={chargeId}>
                      {externalId ?? chargeId}
                    </RowLink>
                  ),
                },
                { label: words.method, phone: 'second', cell: (row) => methods[row.paymentMethod] },
                {
                  label: words.amount,
                  isEnd: true,
                  phone: 'firstEnd',
                  cell: (row) => <Money cents={row.amount} />,
                },
              ]}
            />
            <Pager
              meta={meta}
              link={(to, label) => (
                <Button size="small" onClick={() => setPage(to)}>
                  {label}
                </Button>
              )}
            />
          </div>
        )}
      </Read>
      <div className={styles.files}>
        <ExportLink
          path="/v1/receivables/items"
          query={query}
          name={`${isSettled ? words.settledFile : words.pendingFile}-${date}`}
        />
      </div>
    </Dialog>
  );
}
