import type { WebhookDeliveryView } from '@plataforma/contracts';
import { Link } from '@tanstack/react-router';
import { Status } from '../../parts/badge/badge.tsx';
import { type Column, rowLink, Table } from '../../parts/table/table.tsx';
import { Time } from '../../parts/values/values.tsx';
import { useWords } from '../../shared/language.ts';
import { webhookWords } from './words.ts';

interface Props {
  rows: readonly WebhookDeliveryView[];
  isReading?: boolean;
}

export function DeliveryTable({ rows, isReading = false }: Props) {
  const words = useWords(webhookWords);
  const columns: Column<WebhookDeliveryView>[] = [
    {
      label: words.event,
      phone: 'first',
      cell: ({ id, event }) => (
        <Link to="/developers/deliveries/$id" params={{ id }} className={rowLink}>
          {event}
        </Link>
      ),
    },
    {
      label: words.status,
      phone: 'firstEnd',
      cell: ({ status }) => <Status of="delivery" status={status} />,
    },
    {
      label: words.attempts,
      phone: 'secondEnd',
      isNamed: true,
      cell: ({ attempts }) => attempts,
    },
    {
      label: words.nextAttempt,
      isWide: true,
      cell: ({ nextAttemptAt }) => nextAttemptAt && <Time at={nextAttemptAt} isRelative />,
    },
    {
      label: words.at,
      isEnd: true,
      phone: 'second',
      cell: ({ createdAt }) => <Time at={createdAt} isRelative />,
    },
  ];
  return (
    <Table
      label={words.deliveries}
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      isReading={isReading}
    />
  );
}
