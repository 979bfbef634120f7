import type { EventView } from '@plataforma/contracts';
import { useQuery } from '@tanstack/react-query';
import card from '../../components/card/card.module.css';
import { Dialog } from '../../components/dialog/dialog.tsx';
import { Json } from '../../components/json/json.tsx';
import layout from '../../components/layout.module.css';
import { Table } from '../../components/table/table.tsx';
import { useWords } from '../../shared/language.ts';
import { Read } from '../read.tsx';
import { useDeliveryColumns } from '../webhooks/delivery-columns.tsx';
import { deliveriesQuery } from '../webhooks/queries.ts';
import { webhookWords } from '../webhooks/words.ts';
import { eventWords } from './words.ts';

export function EventDialog({ event, onClose }: { event: EventView; onClose: () => void }) {
  const words = useWords(eventWords);
  const columns = useDeliveryColumns();
  const { deliveries: label } = useWords(webhookWords);
  const read = useQuery(deliveriesQuery({ resourceId: event.resourceId }));
  return (
    <Dialog title={event.event} onClose={onClose} isWide>
      <div className={layout.column}>
        <Json value={event} />
        <h3 className={card.title}>{words.deliveries}</h3>
        <Read of={read} lines={2}>
          {({ data }) => {
            const own = data.filter((each) => each.event === event.event);
            if (own.length === 0) return <p>{words.noDeliveries}</p>;
            return <Table {...{ label, columns }} rows={own} keyOf={({ id }) => id} />;
          }}
        </Read>
      </div>
    </Dialog>
  );
}
