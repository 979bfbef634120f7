import { pageWords } from '../../shared/page-words.ts';
import { pixKeyTypes } from '../destinations/words.ts';

export const withdrawalWords = pageWords({
  methods: { PIX: ['Pix', 'Pix'], TED: ['TED', 'TED'] },
  searchHint: ['ID, seu número, chave Pix…', 'ID, your number, Pix key…'],
  created: ['Pedido em', 'Ordered at'],
  providerTxId: ['ID no banco', 'Bank ID'],
  id: ['ID', 'ID'],
  source: ['Feito com', 'Made with'],
  bankAccount: ['Conta bancária salva', 'Saved bank account'],
  keyTypes: pixKeyTypes,
  emptyTitle: ['Nenhum saque ainda', 'No withdrawals yet'],
  emptyText: [
    'Mande o seu saldo para uma chave Pix ou uma conta sua, ou pague um código Pix.',
    'Send your balance to a Pix key or an account of yours, or pay a Pix code.',
  ],
  noneTitle: ['Nenhum saque com estes filtros', 'No withdrawals with these filters'],
  holder: ['Titular', 'Holder'],
  account: ['Conta', 'Account'],
  accountTypes: { CHECKING: ['corrente', 'checking'], SAVINGS: ['poupança', 'savings'] },
  cancelWithdrawal: ['Cancelar saque', 'Cancel withdrawal'],
  cancelTitle: ['Cancelar saque?', 'Cancel this withdrawal?'],
  keep: ['Manter saque', 'Keep withdrawal'],
  cancelText: [
    'O valor e a tarifa voltam ao saldo. Um saque cancelado não pode ser retomado.',
    'Amount and fee go back to the balance. A cancelled withdrawal can’t be resumed.',
  ],
  cancelled: ['Saque cancelado', 'Withdrawal cancelled'],
  byMerchant: ['Cancelado por você.', 'Cancelled by you.'],
  waits: {
    approval: ['Espera a nossa aprovação antes de ser pago.', 'It needs our approval before it is paid.'],
    cooldown: [
      'O destino é novo: o saque é pago quando terminar o prazo de segurança.',
      'Its destination is new: it is paid when the safety period ends.',
    ],
    account: [
      'A conta está suspensa ou recusada. O saque segue quando isso terminar.',
      'The account is suspended or rejected. It continues when that ends.',
    ],
    stop: [
      'Os saques estão suspensos por enquanto. Este segue sozinho depois.',
      'Withdrawals are on hold for now. This one continues by itself.',
    ],
    review: [
      'Conferimos a conta antes de pagar. Nada precisa ser enviado de novo.',
      'We check the account before it is paid. Nothing has to be sent again.',
    ],
    provider: [
      'Já foi enviado. O banco ainda não disse como terminou.',
      'It was sent. The bank has not said yet how it ended.',
    ],
    transfer: [
      'Falta a nossa equipe enviar a transferência à conta bancária.',
      'Our team has yet to send the transfer to the bank account.',
    ],
  },
  acts: {
    one_operator: ['Falta uma aprovação.', 'One approval is missing.'],
    two_operators: [
      'Faltam duas aprovações, de pessoas diferentes.',
      'Two approvals are missing, of two different people.',
    ],
    second_operator: [
      'Uma pessoa já aprovou. Falta a segunda.',
      'One person has approved it. The second is missing.',
    ],
    provider: ['Agora é com o banco.', 'It is up to the bank now.'],
    platform: ['Agora é conosco.', 'It is up to us now.'],
  },
  since: ['Desde', 'Since'],
  until: ['Até', 'Until'],
  notAgain: [
    'Não peça de novo: seriam dois saques.',
    'Do not order it again: that would be a second withdrawal.',
  ],
  steps: {
    ordered: ['Pedido e descontado do saldo', 'Ordered and taken from the balance'],
    queued: ['Na fila para o banco', 'Queued for the bank'],
    underWay: ['A caminho do banco', 'On its way to the bank'],
    toCome: ['Chega ao destino', 'Arrives'],
    completed: ['Chegou ao destino', 'Arrived'],
    failed: [
      'Não concluído: o valor e a tarifa voltaram ao saldo',
      'Failed: amount and fee are back in the balance',
    ],
    rejected: [
      'Recusado: o valor e a tarifa voltaram ao saldo',
      'Rejected: amount and fee are back in the balance',
    ],
    approval: ['Aguardando aprovação', 'Waiting for approval'],
  },
  reasons: {
    invalid_key: ['A chave Pix não existe.', 'The Pix key does not exist.'],
    account_not_found: ['O banco não achou a conta.', 'The bank did not find the account.'],
    account_closed: ['A conta está encerrada.', 'The account is closed.'],
    account_blocked: ['A conta está bloqueada.', 'The account is blocked.'],
    limit_exceeded: ['O valor passa de um limite do banco.', 'The amount is above a limit of the bank.'],
    suspected_fraud: ['O banco suspeitou de fraude.', 'The bank suspected fraud.'],
    refused_by_bank: ['O banco de destino recusou.', 'The receiving bank refused it.'],
    timed_out: ['O banco não respondeu a tempo.', 'The bank did not answer in time.'],
    other: ['O banco não informou o motivo.', 'The bank did not say why.'],
  },
});
