import { catalogue } from '@plataforma/contracts/catalogue';

export const sandboxWords = catalogue({
  title: ['Sandbox', 'Sandbox'],
  providerFaults: ['Comportamento dos provedores', 'Behaviour of the providers'],
  providerFaultsText: [
    'Experimente os caminhos de erro da sua loja: só as chamadas da sua conta de teste encontram este comportamento.',
    'Try the error paths of your shop: only calls of your test account meet this behaviour.',
  ],
  providers: { pix: ['Pix', 'Pix'], card: ['Cartão', 'Card'], payout: ['Saques', 'Withdrawals'] },
  states: {
    ok: ['Responde como sempre', 'Answers as usual'],
    slow: ['Lento: 3 s por chamada', 'Slow: 3 s a call'],
    down: ['Fora do ar', 'Down'],
    unknown: ['Faz, mas a resposta se perde', 'Does it, but the answer is lost'],
    held: ['Segura os saques até você decidir', 'Holds withdrawals until you decide'],
  },
  changed: ['Os provedores não se comportam como de costume.', 'The providers do not behave as usual.'],
  until: ['Volta ao normal sozinho:', 'Back to normal by itself:'],
  save: ['Salvar', 'Save'],
  fair: ['Voltar ao normal', 'Back to normal'],
  saved: ['Comportamento salvo', 'Behaviour saved'],
  faults: {
    title: ['Falhas de webhook', 'Webhook faults'],
    text: [
      'Prove que a sua loja aguenta: repetição, ordem trocada, assinatura falsa. A entrega segue como sempre.',
      'Prove that your shop copes: repetition, wrong order, a forged signature. The delivery goes on as usual.',
    ],
    none: ['Crie um webhook primeiro', 'Create a webhook first'],
    webhookId: ['Webhook', 'Webhook'],
    kind: ['Falha', 'Fault'],
    kinds: {
      duplicate: ['Chega duas vezes', 'Arrives twice'],
      reorder: ['Chega depois de um evento mais novo', 'Arrives after a later event'],
      delay: ['Chega 5 s depois', 'Arrives 5 s late'],
      bad_signature: ['Assinatura falsa', 'Forged signature'],
      drop: ['Não chega, e é reenviado', 'Does not arrive, and is sent again'],
    },
    count: ['Tentativas', 'Attempts'],
    countHint: ['Quantas das próximas encontram a falha.', 'How many of the next ones meet the fault.'],
    begin: ['Simular falha', 'Simulate fault'],
    begun: ['As próximas tentativas encontram a falha', 'The next attempts meet the fault'],
    left: ['Falhas que ainda faltam', 'Faults that are left'],
    remaining: ['Faltam {left} de {count}', '{left} of {count} left'],
    end: ['Encerrar', 'End'],
    ended: ['Falha encerrada', 'Fault ended'],
  },
  clock: {
    title: ['Relógio', 'Clock'],
    text: [
      'Adiante o tempo da sua conta de teste: cobranças expiram, cartões ficam disponíveis, prazos terminam.',
      'Move the time of your test account forward: charges expire, cards settle, periods end.',
    ],
    ahead: ['adiantado {time}', '{time} ahead'],
    never: ['igual ao tempo real', 'the real time'],
    waiting: ['Ainda falta acontecer parte do que venceu.', 'Some of what fell due has yet to happen.'],
    count: ['Adiantar', 'Move by'],
    unit: ['Unidade', 'Unit'],
    units: { days: ['dias', 'days'], hours: ['horas', 'hours'] },
    forward: [
      'O relógio só anda para a frente: isto não pode ser desfeito.',
      'The clock only moves forward: this can’t be undone.',
    ],
    move: ['Adiantar relógio', 'Move clock'],
    moved: ['Relógio adiantado', 'Clock moved'],
  },
  objects: ['Pagadores e bancos', 'Payers and banks'],
  objectsText: [
    'Na página de uma cobrança você é o pagador: valor errado, pagamento duplicado ou atrasado, contestação. Na de uma contestação você decide como ela termina, e na de um saque você é o operador e o banco.',
    'On the page of a charge you are the payer: a wrong amount, a double or late payment, a dispute. On the page of a dispute you decide how it ends, and on that of a withdrawal you are the operator and the bank.',
  ],
  charges: ['Ver cobranças', 'See charges'],
  disputes: ['Ver contestações', 'See disputes'],
  withdrawals: ['Ver saques', 'See withdrawals'],
  play: ['Simular', 'Simulate'],
  over: [
    'A situação mudou e não permite mais isto. A página mostra a de agora.',
    'Its status has changed and no longer allows this. The page shows it as it is now.',
  ],
  decided: ['Decisão simulada no sandbox', 'Decision simulated in the sandbox'],
  charge: {
    wrong: ['Pagar valor errado: {amount}', 'Pay a wrong amount: {amount}'],
    wrongDone: [
      'Pago com valor errado: o dinheiro volta ao pagador',
      'Paid in a wrong amount: the money goes back to the payer',
    ],
    twice: ['Pagar duas vezes', 'Pay twice'],
    twiceDone: [
      'Pago duas vezes: um dos pagamentos volta ao pagador',
      'Paid twice: one payment goes back to the payer',
    ],
    late: ['Pagar depois de expirar', 'Pay after its expiry'],
    again: ['Pagar mesmo assim', 'Pay all the same'],
    lateDone: ['Pago tarde: o dinheiro volta ao pagador', 'Paid late: the money goes back to the payer'],
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
      label: ['Pagador desiste', 'Payer takes it back'],
      done: ['O pagador desistiu da contestação', 'The payer took the dispute back'],
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
      done: ['O banco não conclui o saque', 'The bank fails the withdrawal'],
    },
  },
});
