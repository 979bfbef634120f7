import { pageWords } from '../../shared/page-words.ts';
import { pixKeyTypes } from '../destinations/words.ts';

export const withdrawalWords = pageWords({
  methods: { PIX: ['Pix', 'Pix'], TED: ['TED', 'TED'] },
  searchHint: ['ID, seu número, chave Pix…', 'ID, your number, Pix key…'],
  created: ['Pedido em', 'Requested'],
  providerTxId: ['ID no banco', 'Bank ID'],
  id: ['ID', 'ID'],
  source: ['Criado com', 'Created with'],
  bankAccount: ['Conta bancária salva', 'Saved bank account'],
  keyTypes: pixKeyTypes,
  emptyTitle: ['Nenhum saque ainda', 'No withdrawals yet'],
  emptyText: [
    'Envie o seu saldo para uma chave Pix ou uma conta bancária, ou pague um código Pix.',
    'Send your balance to a Pix key or a bank account, or pay a Pix code.',
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
    'The amount and the fee return to the balance. A cancelled withdrawal can’t be resumed.',
  ],
  cancelled: ['Saque cancelado', 'Withdrawal cancelled'],
  byMerchant: ['Cancelado por você.', 'Cancelled by you.'],
  waits: {
    approval: [
      'Nossa equipe precisa aprovar o saque antes do pagamento.',
      'Our team must approve the withdrawal before payment.',
    ],
    auto_approve_limit: [
      'Com este, os saques do dia sem aprovação passam do limite. Nossa equipe precisa aprovar este.',
      'With this one, the day’s withdrawals without an approval exceed their limit. Our team must approve it.',
    ],
    new_payees_per_day: [
      'O limite de novos favorecidos do dia foi atingido. Nossa equipe precisa aprovar o saque.',
      'The day’s limit of new payees has been reached. Our team must approve the withdrawal.',
    ],
    cooldown: [
      'O destino é novo: o saque é pago depois da carência.',
      'The destination is new: the withdrawal is paid after the cool-down.',
    ],
    account: [
      'A conta está suspensa ou não aprovada. O saque segue depois que isso for resolvido.',
      'The account is suspended or not approved. The withdrawal continues after that is resolved.',
    ],
    stop: [
      'Os saques estão suspensos por enquanto. Este segue sozinho depois.',
      'Withdrawals are suspended for now. This withdrawal continues automatically.',
    ],
    review: [
      'Conferimos a conta antes do pagamento. Você não precisa enviar nada de novo.',
      'We check the account before payment. You do not need to send anything again.',
    ],
    provider: [
      'O saque foi enviado. O banco ainda não confirmou o resultado.',
      'The withdrawal was sent. The bank has not confirmed the result yet.',
    ],
    transfer: [
      'Nossa equipe ainda não enviou a transferência à conta bancária.',
      'Our team has not sent the transfer to the bank account yet.',
    ],
  },
  acts: {
    one_operator: ['Falta uma aprovação.', 'One approval is required.'],
    two_operators: [
      'Faltam duas aprovações, de pessoas diferentes.',
      'Two approvals from different people are required.',
    ],
    second_operator: [
      'Uma pessoa já aprovou. Falta a segunda.',
      'One person approved it. A second approval is required.',
    ],
    provider: ['Aguardando o banco.', 'Waiting for the bank.'],
    platform: ['Aguardando a nossa equipe.', 'Waiting for our team.'],
  },
  since: ['Desde', 'Since'],
  until: ['Até', 'Until'],
  notAgain: [
    'Não peça de novo: isso criaria um segundo saque.',
    'Do not request it again: that would create a second withdrawal.',
  ],
  steps: {
    ordered: ['Pedido e debitado do saldo', 'Requested and debited from the balance'],
    queued: ['Na fila para o banco', 'Queued for the bank'],
    underWay: ['A caminho do banco', 'On its way to the bank'],
    toCome: ['Chega ao destino', 'Arrives at the destination'],
    completed: ['Chegou ao destino', 'Arrived at the destination'],
    failed: [
      'Não concluído: o valor e a tarifa voltaram ao saldo',
      'Failed: the amount and fee are back in the balance',
    ],
    rejected: [
      'Recusado: o valor e a tarifa voltaram ao saldo',
      'Rejected: the amount and fee are back in the balance',
    ],
    approval: ['Aguardando aprovação', 'Waiting for approval'],
  },
  reasons: {
    invalid_key: ['A chave Pix não existe.', 'The Pix key does not exist.'],
    account_not_found: ['O banco não achou a conta.', 'The bank did not find the account.'],
    account_closed: ['A conta está encerrada.', 'The account is closed.'],
    account_blocked: ['A conta está bloqueada.', 'The account is blocked.'],
    limit_exceeded: ['O valor passa de um limite do banco.', 'The amount exceeds a limit of the bank.'],
    suspected_fraud: ['O banco suspeitou de fraude.', 'The bank suspected fraud.'],
    refused_by_bank: ['O banco de destino recusou.', 'The receiving bank refused it.'],
    timed_out: ['O banco não respondeu a tempo.', 'The bank did not respond in time.'],
    other: ['O banco não informou o motivo.', 'The bank did not give a reason.'],
  },
});
