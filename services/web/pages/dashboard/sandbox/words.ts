import { catalogue } from '@plataforma/contracts/catalogue';

export const sandboxWords = catalogue({
  title: ['Sandbox', 'Sandbox'],
  providerFaults: ['Falhas de provedores', 'Provider faults'],
  providerFaultsText: [
    'Teste como a sua loja trata erros dos provedores. As falhas atingem só a sua conta de teste.',
    'Test how your shop handles provider errors. The faults affect only your test account.',
  ],
  providers: { pix: ['Pix', 'Pix'], card: ['Cartão', 'Card'], payout: ['Saques', 'Withdrawals'] },
  states: {
    ok: ['Responde normalmente', 'Responds normally'],
    slow: ['Lento: 3 s por chamada', 'Slow: 3 s per call'],
    down: ['Fora do ar', 'Down'],
    unknown: ['Executa, mas a resposta se perde', 'Acts, but the response is lost'],
    held: ['Segura os saques até você decidir', 'Holds withdrawals until you decide'],
  },
  changed: ['Há falhas de provedores ativas.', 'Provider faults are active.'],
  until: ['Volta ao normal sozinho:', 'Returns to normal automatically:'],
  save: ['Salvar', 'Save'],
  fair: ['Voltar ao normal', 'Reset to normal'],
  saved: ['Falhas salvas', 'Faults saved'],
  faults: {
    title: ['Falhas de webhook', 'Webhook faults'],
    text: [
      'Teste se a sua loja trata eventos repetidos, fora de ordem e com assinatura falsa. As entregas seguem normalmente.',
      'Test whether your shop handles duplicate events, a wrong order and forged signatures. Deliveries continue normally.',
    ],
    none: ['Crie um webhook primeiro', 'Create a webhook first'],
    webhookId: ['Webhook', 'Webhook'],
    kind: ['Falha', 'Fault'],
    kinds: {
      duplicate: ['Chega duas vezes', 'Arrives twice'],
      reorder: ['Chega depois de um evento mais novo', 'Arrives after a newer event'],
      delay: ['Chega 5 s depois', 'Arrives 5 s late'],
      bad_signature: ['Assinatura falsa', 'Forged signature'],
      drop: ['Não chega, e é reenviado', 'Does not arrive, and is retried'],
    },
    count: ['Tentativas', 'Attempts'],
    countHint: ['Número de próximas tentativas com a falha.', 'Number of next attempts with the fault.'],
    begin: ['Simular falha', 'Simulate fault'],
    begun: ['As próximas tentativas terão a falha', 'The next attempts will have the fault'],
    left: ['Falhas ativas', 'Active faults'],
    remaining: ['Faltam {left} de {count}', '{left} of {count} left'],
    end: ['Encerrar', 'End'],
    ended: ['Falha encerrada', 'Fault ended'],
  },
  clock: {
    title: ['Relógio de teste', 'Test clock'],
    text: [
      'Adiante o tempo da sua conta de teste: cobranças expiram, cartões ficam disponíveis, prazos terminam.',
      'Advance the time of your test account: charges expire, card payments settle, deadlines pass.',
    ],
    ahead: ['adiantado {time}', '{time} ahead'],
    never: ['igual ao tempo real', 'same as real time'],
    waiting: ['Parte do que venceu ainda não aconteceu.', 'Some due events have not happened yet.'],
    count: ['Adiantar', 'Advance by'],
    unit: ['Unidade', 'Unit'],
    units: { days: ['dias', 'days'], hours: ['horas', 'hours'] },
    forward: [
      'O relógio só anda para a frente: isto não pode ser desfeito.',
      'The clock only moves forward. This can’t be undone.',
    ],
    move: ['Adiantar relógio', 'Advance clock'],
    moved: ['Relógio adiantado', 'Clock advanced'],
  },
  objects: ['Pagadores e bancos', 'Payers and banks'],
  objectsText: [
    'Na página de uma cobrança, você faz o papel do pagador: paga um valor errado, paga duas vezes ou tarde, ou abre uma contestação. Na de uma contestação, você decide o desfecho. Na de um saque, você faz o papel do operador e do banco.',
    'On the page of a charge, you act as the payer: pay a wrong amount, pay twice or late, or open a dispute. On the page of a dispute, you decide the outcome. On the page of a withdrawal, you act as the operator and the bank.',
  ],
  charges: ['Ver cobranças', 'View charges'],
  disputes: ['Ver contestações', 'View disputes'],
  withdrawals: ['Ver saques', 'View withdrawals'],
  play: ['Simular', 'Simulate'],
  over: [
    'A situação mudou e não permite mais isto. A página mostra a situação atual.',
    'The status has changed and no longer allows this. The page shows the current status.',
  ],
  decided: ['Decisão simulada no sandbox', 'Decision simulated in the sandbox'],
  charge: {
    wrong: ['Pagar valor errado: {amount}', 'Pay a wrong amount: {amount}'],
    wrongDone: [
      'Pago com valor errado: o dinheiro volta ao pagador',
      'Paid a wrong amount: the money returns to the payer',
    ],
    twice: ['Pagar duas vezes', 'Pay twice'],
    twiceDone: [
      'Pago duas vezes: um dos pagamentos volta ao pagador',
      'Paid twice: one payment returns to the payer',
    ],
    late: ['Pagar depois de expirar', 'Pay after expiry'],
    again: ['Pagar mesmo assim', 'Pay anyway'],
    lateDone: ['Pago tarde: o dinheiro volta ao pagador', 'Paid late: the money returns to the payer'],
    dispute: ['Contestar', 'Dispute'],
    disputeDone: ['Contestação aberta', 'Dispute opened'],
  },
  dispute: {
    MERCHANT: {
      label: ['Decidir a seu favor', 'Decide in your favour'],
      done: ['Contestação ganha', 'Dispute won'],
    },
    CUSTOMER: {
      label: ['Decidir a favor do pagador', 'Decide in the payer’s favour'],
      done: ['Contestação perdida', 'Dispute lost'],
    },
    CANCELLED: {
      label: ['Pagador retira', 'Payer withdraws'],
      done: ['O pagador retirou a contestação', 'The payer withdrew the dispute'],
    },
  },
  withdrawal: {
    approve: { label: ['Aprovar', 'Approve'], done: ['Saque aprovado', 'Withdrawal approved'] },
    reject: { label: ['Recusar', 'Reject'], done: ['Saque recusado', 'Withdrawal rejected'] },
    hold: {
      label: ['Segurar', 'Hold'],
      done: ['Saque segurado até você decidir', 'Withdrawal held until you decide'],
    },
    complete: {
      label: ['Concluir', 'Complete'],
      done: ['O banco conclui o saque', 'The bank completes the withdrawal'],
    },
    fail: {
      label: ['Falhar', 'Fail'],
      done: ['O banco não conclui o saque', 'The withdrawal fails at the bank'],
    },
  },
});
