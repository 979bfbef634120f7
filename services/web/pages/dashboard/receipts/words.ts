import { pageWords } from '../../shared/page-words.ts';
import { pixKeyTypes } from '../destinations/words.ts';

export const receiptWords = pageWords({
  print: ['Imprimir', 'Print'],
  ofWithdrawal: { PIX: ['Pix enviado', 'Pix sent'], TED: ['TED enviada', 'TED sent'] },
  ofCharge: ['Pagamento recebido', 'Payment received'],
  ofRefund: ['Devolução enviada', 'Refund sent'],
  paymentId: ['ID do pagamento (E2E)', 'Payment ID (E2E)'],
  values: ['Valores', 'Amounts'],
  ordered: ['Valor pedido', 'Amount ordered'],
  sent: ['Valor enviado', 'Amount sent'],
  sender: ['De', 'From'],
  holder: ['Nome', 'Name'],
  keyTypes: pixKeyTypes,
  account: ['Conta', 'Account'],
  accountTypes: { CHECKING: ['corrente', 'checking'], SAVINGS: ['poupança', 'savings'] },
  identification: ['Identificação', 'Identification'],
  endToEnd: ['ID da transação (E2E)', 'Transaction ID (E2E)'],
  bankReference: ['Número no banco', 'Bank number'],
  id: ['ID', 'ID'],
  timeOfBrasilia: ['{time}, horário de Brasília', '{time}, Brasília time'],
  none: ['Este comprovante existe só depois do pagamento.', 'This receipt exists only after the payment.'],
  ofSandbox: [
    'Modo de teste: nenhum dinheiro foi movimentado. Este comprovante não tem valor.',
    'Test mode: no money was moved. This receipt has no value.',
  ],
});
