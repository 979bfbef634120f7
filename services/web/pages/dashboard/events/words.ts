import { catalogue } from '../../shared/language.ts';

export const eventWords = catalogue(
  {
    list: 'Eventos',
    event: 'Evento',
    all: 'Todos os eventos',
    resource: 'Objeto',
    at: 'Quando',
    content: 'Conteúdo',
    json: 'Ver JSON',
    emptyTitle: 'Nenhum evento nos últimos 30 dias',
    emptyText: 'Tudo o que acontece com cobranças, saques e contestações aparece aqui, com ou sem webhook.',
    noneTitle: 'Nenhum evento com estes filtros',
    deliveries: 'Entregas deste objeto',
    noDeliveries: 'Nenhum webhook assina este evento.',
  },
  {
    list: 'Events',
    event: 'Event',
    all: 'All events',
    resource: 'Object',
    at: 'When',
    content: 'Content',
    json: 'View JSON',
    emptyTitle: 'No events in the last 30 days',
    emptyText:
      'Everything that happens to charges, withdrawals and disputes appears here, with or without a webhook.',
    noneTitle: 'No events with these filters',
    deliveries: 'Deliveries of this object',
    noDeliveries: 'No webhook subscribes to this event.',
  },
);
