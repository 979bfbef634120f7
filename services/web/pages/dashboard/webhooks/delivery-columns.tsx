import type { WebhookDeliveryView } from '@plataforma/contracts';
import type { Column } from '../../components/table/table.tsx';
import { Time } from '../../components/values/values.tsx';
import { useWords } from '../../shared/language.ts';
import { statusColumn } from '../lists/columns.tsx';
import { RowLink } from '../lists/links.tsx';
import { webhookWords } from './words.ts';

export function useDeliveryColumns(): Column<WebhookDeliveryView>[] {
  const words = useWords(webhookWords);
  return [
    {
      label: words.event,
      phone: 'first',
      cell: ({ id, event }) => (
        <RowLink to="/developers/deliveries/$id" id={id}>
          {event}
        </RowLink>
      ),
    },
    statusColumn(words.status, 'delivery'),
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
      label: words.deliveryCreated,
      isEnd: true,
      phone: 'second',
      cell: ({ createdAt }) => <Time at={createdAt} isRelative />,
    },
  ];
}
