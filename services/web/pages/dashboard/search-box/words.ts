import { pageWords } from '../../shared/page-words.ts';

export const searchBoxWords = pageWords({
  results: ['Resultados da busca', 'Search results'],
  none: ['Nada encontrado para “{text}”', 'Nothing found for “{text}”'],
  noneText: [
    'Confira a escrita, ou busque por uma parte do nome ou do número do pedido.',
    'Check the spelling, or search for a part of the name or of the order number.',
  ],
  incomplete: [
    'Parte da busca não respondeu. Tente de novo em instantes.',
    'A part of the search did not respond. Try again in a moment.',
  ],
  more: ['Ver mais', 'View more'],
  refund: ['Devolução', 'Refund'],
  found: ['{count} resultados', '{count} results'],
  foundOne: ['1 resultado', '1 result'],
});
