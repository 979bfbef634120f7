import { pageWords } from '../../shared/page-words.ts';

export const chargeWords = pageWords({
  cancelCharge: ['Cancelar cobrança', 'Cancel charge'],
  cancelTitle: ['Cancelar cobrança?', 'Cancel this charge?'],
  keep: ['Manter cobrança', 'Keep charge'],
  cancelText: [
    'O código deixa de valer e não pode mais ser pago. Isto não pode ser desfeito.',
    'The code stops working and can no longer be paid. This can’t be undone.',
  ],
  cancelled: ['Cobrança cancelada', 'Charge cancelled'],
  refund: ['Devolver', 'Refund'],
  simulate: ['Simular pagamento', 'Simulate payment'],
  simulated: ['Pagamento simulado', 'Payment simulated'],
  payment: ['Pagamento', 'Payment'],
  waiting: ['Aguardando o pagamento…', 'Waiting for the payment…'],
  openLink: ['Abrir', 'Open'],
  created: ['Criada em', 'Created'],
  fromLink: ['Criada por', 'Created by'],
  paidNow: ['Pagamento confirmado', 'Payment confirmed'],
  email: ['E-mail', 'E-mail'],
  installments: ['Parcelas', 'Installments'],
  refunded: ['Devolvido', 'Refunded'],
  expires: ['Expira em', 'Expires'],
  paid: ['Paga em', 'Paid'],
  settles: ['Disponível em', 'Available'],
  endToEnd: ['ID do Pix (E2E)', 'Pix ID (E2E)'],
  authorization: ['Autorização', 'Authorization'],
  acquirerId: ['ID na adquirente', 'Acquirer ID'],
  openDispute: ['Ver contestação', 'View dispute'],
  transactions: ['Lançamentos', 'Balance transactions'],
  noTransactions: [
    'Esta cobrança ainda não tem lançamentos.',
    'This charge has no balance transactions yet.',
  ],
  movementBalance: ['Saldo depois: {amount}', 'Balance after: {amount}'],
  eventsTitle: ['Eventos e webhooks', 'Events and webhooks'],
  noEvents: ['Nenhum evento até agora.', 'No events so far.'],
  notSent: ['Nenhum webhook recebeu', 'No webhook received it'],
  attemptCount: [
    (attempts: string) => (attempts === '1' ? '1 tentativa' : `${attempts} tentativas`),
    (attempts: string) => (attempts === '1' ? '1 attempt' : `${attempts} attempts`),
  ],
  refundNote: ['Motivo: {reason}', 'Reason: {reason}'],
  stopped: [
    'Devoluções estão suspensas por enquanto. Esta segue sozinha depois.',
    'Refunds are suspended for now. This refund continues automatically.',
  ],
});

export const refundWords = pageWords({
  title: ['Devolver pagamento', 'Refund payment'],
  refundAmount: ['Valor a devolver', 'Amount to refund'],
  default: [
    'Sugerimos o líquido, {net}, porque a tarifa de {fee} não volta para você. Para o pagador receber tudo, digite {all}.',
    'We suggest the net amount, {net}, because the fee of {fee} is not returned to you. To refund the payer in full, enter {all}.',
  ],
  noFee: ['No máximo {all}.', 'At most {all}.'],
  reasonHint: ['Fica guardado na cobrança.', 'It is saved with the charge.'],
  after: ['Seu saldo depois: {amount}', 'Your balance after: {amount}'],
  tooMuch: ['No máximo {amount}, o valor da cobrança.', 'At most {amount}, the charge’s amount.'],
  tooLow: ['Digite um valor.', 'Enter an amount.'],
  onlyOnce: ['Uma cobrança só pode ser devolvida uma vez.', 'A charge can be refunded only once.'],
  send: ['Devolver {amount}', 'Refund {amount}'],
  done: ['Pagamento devolvido', 'Payment refunded'],
  goesOn: [
    'Devolução em andamento: ela segue sozinha e o resultado aparece aqui.',
    'The refund is in progress. It continues automatically, and the result appears here.',
  ],
  insufficient_balance: [
    'O saldo não cobre o valor. Nada foi debitado.',
    'The balance does not cover the amount. Nothing was debited.',
  ],
  refused_by_provider: [
    'O provedor recusou a devolução. O valor voltou ao seu saldo.',
    'The provider refused the refund. The amount is back in your balance.',
  ],
});
