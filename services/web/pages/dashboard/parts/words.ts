import { catalogue } from '../../shared/language.ts';

export const showcaseWords = catalogue(
  {
    title: 'Peças',
    text: 'Todas as peças das páginas, em todos os estados.',
    open: 'Abrir',
    sample: 'Exemplo',
  },
  { title: 'Parts', text: 'All parts of the pages, in every state.', open: 'Open', sample: 'Sample' },
);
