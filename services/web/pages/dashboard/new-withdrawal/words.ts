import { pageWords } from '../../shared/page-words.ts';

export const newWithdrawalWords = pageWords({
  step: ['Etapa {at} de 3', 'Step {at} of 3'],
  whom: { title: ['Para quem?', 'To whom?'], next: ['Continuar', 'Continue'] },
  how: ['Como indicar o favorecido', 'How to identify the payee'],
  ways: {
    saved: ['Destino salvo', 'Saved destination'],
    key: ['Chave Pix', 'Pix key'],
    code: ['Código Pix', 'Pix code'],
  },
  noneSavedText: [
    'Salve um, ou saque agora para uma chave Pix ou um código Pix.',
    'Save one, or withdraw now to a Pix key or a Pix code.',
  ],
  addOne: ['Salvar destino', 'Save a destination'],
  savedOnes: ['Destino', 'Destination'],
  bankNote: [
    'Contas bancárias recebem por TED. Nossa equipe aprova e envia.',
    'Bank accounts are paid by TED. Our team approves and sends it.',
  ],
  code: ['Pix copia e cola', 'Pix copy and paste'],
  codeHint: ['Cole o código inteiro. Ele começa com 000201.', 'Paste the whole code. It starts with 000201.'],
  scan: ['Ler com a câmera', 'Scan with the camera'],
  stopScan: ['Fechar câmera', 'Close camera'],
  noCamera: ['A câmera não abriu. Cole o código.', 'The camera did not open. Paste the code.'],
  read: ['Ler código', 'Read code'],
  payee: ['Favorecido', 'Payee'],
  nameInCode: ['Nome no código', 'Name in the code'],
  payeeNote: [
    'Este nome vem do código. Confira com quem mandou o código.',
    'This name comes from the code. Check it with the sender of the code.',
  ],
  noTxid: [
    'O pagamento vai pela chave, sem o txid da cobrança: a cobrança do favorecido pode não dar baixa sozinha.',
    'The payment goes to the key, without the charge’s txid: the payee’s charge may not settle automatically.',
  ],
  owner: ['Titular da chave', 'Owner of the key'],
  noOwner: [
    'Não deu para mostrar o titular da chave agora. Confira a chave com quem vai receber; você pode continuar.',
    'The owner of the key could not be shown now. Check the key with the payee; you can continue.',
  ],
  ownerLimit: [
    'Foram muitas consultas de chaves, e o titular não aparece por enquanto. Confira a chave; você pode continuar.',
    'Too many keys were looked up, so the owner is not shown for now. Check the key; you can continue.',
  ],
  withdrawAll: ['Sacar tudo', 'Withdraw all'],
  most: [
    'O saldo não cobre este valor. Dá para sacar até {amount}.',
    'The balance does not cover this amount. You can withdraw up to {amount}.',
  ],
  nothing: ['O saldo não cobre a tarifa.', 'The balance does not cover the fee.'],
  howMuch: { title: ['Quanto?', 'How much?'], next: ['Revisar', 'Review'] },
  confirm: {
    title: ['Confira', 'Review'],
    send: ['Sacar {amount}', 'Withdraw {amount}'],
  },
  available: ['Disponível: {amount}', 'Available: {amount}'],
  today: ['Limite restante hoje: {amount}, até {until}', 'Remaining limit today: {amount}, until {until}'],
  taken: ['Sai do saldo', 'Debited from the balance'],
  arrives: ['Chega ao destino', 'Arrives at the destination'],
  back: ['Voltar', 'Back'],
  missing: ['Falta no saldo', 'Missing from the balance'],
  approval: ['Aprovação', 'Approval'],
  approvals: [
    (count: number) =>
      count === 1 ? 'Depende da nossa equipe' : `Depende de ${count} pessoas da nossa equipe`,
    (count: number) => (count === 1 ? 'By our team' : `By ${count} people of our team`),
  ],
  payableFrom: ['Destino novo: recebe a partir de', 'New destination: can be paid from'],
  noAmount: ['Informe o valor.', 'Enter the amount.'],
  tooLow: ['O valor precisa ser maior que a tarifa.', 'The amount must exceed the fee.'],
  production: [
    'Isto é dinheiro de verdade. Um Pix confirmado não pode ser desfeito.',
    'This is real money. A confirmed Pix can’t be undone.',
  ],
  created: ['Saque pedido', 'Withdrawal requested'],
  resuming: [
    'A página foi recarregada antes da resposta. Conferindo o saque que você pediu…',
    'The page was reloaded before the response arrived. Looking for the withdrawal that you requested…',
  ],
});
