import { pageWords } from '../shared/page-words.ts';

export const partWords = pageWords({
  close: ['Fechar', 'Close'],
  copy: ['Copiar', 'Copy'],
  copied: ['Copiado', 'Copied'],
  copyByHand: [
    'O navegador não copiou. O texto está selecionado: use Ctrl+C ou toque nele e segure.',
    'The browser did not copy it. The text is selected: press Ctrl+C, or touch and hold it.',
  ],
  wrongAmount: [
    'Este texto não é um valor em reais. Cole 1.234,56, por exemplo.',
    'This text is not an amount in reais. Paste 1.234,56, for example.',
  ],
  optional: ['opcional', 'optional'],
  fromDay: ['De', 'From'],
  toDay: ['Até', 'To'],
  anyTime: ['Todo o período', 'All time'],
  lastDays: ['Últimos {days} dias', 'Last {days} days'],
  today: ['Hoje', 'Today'],
  between: ['De {from} até {to}', 'From {from} to {to}'],
  since: ['Desde {from}', 'Since {from}'],
  until: ['Até {to}', 'Until {to}'],
  other: ['Escolher datas', 'Choose dates'],
  previous: ['Anterior', 'Previous'],
  next: ['Próxima', 'Next'],
  pages: ['Páginas', 'Pages'],
  rows: ['{shown} de {total}', '{shown} of {total}'],
  saved: ['Já guardei em lugar seguro', 'I saved it in a safe place'],
  once: [
    'Só aparece agora. Depois de fechar, não dá para ver de novo.',
    'It is shown only now. You can’t see it again after you close this.',
  ],
  done: ['Concluir', 'Done'],
  loading: ['Carregando', 'Loading'],
  qrCode: ['QR Code do Pix', 'Pix QR code'],
  pixCode: ['Código Pix copia e cola', 'Pix copy-and-paste code'],
});
