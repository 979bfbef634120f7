import { pageWords } from '../../shared/page-words.ts';

export const eventWords = pageWords({
  allEvents: ['Todos os eventos', 'All events'],
  content: ['Conteúdo', 'Content'],
  json: ['Ver JSON', 'View JSON'],
  emptyTitle: ['Nenhum evento nos últimos 30 dias', 'No events in the last 30 days'],
  emptyText: [
    'Todos os eventos de cobranças, saques e contestações aparecem aqui, com ou sem webhook.',
    'All events of charges, withdrawals and disputes appear here, with or without a webhook.',
  ],
  noneTitle: ['Nenhum evento com estes filtros', 'No events with these filters'],
  deliveries: ['Entregas deste objeto', 'Deliveries of this object'],
  noDeliveries: ['Nenhum webhook assina este evento.', 'No webhook subscribes to this event.'],
});
