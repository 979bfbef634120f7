import { pageWords } from '../../shared/page-words.ts';

export const newWithdrawalWords = pageWords({
  step: ['Etapa {at} de 3', 'Step {at} of 3'],
  whom: { title: ['Para quem?', 'To whom?'], next: ['Continuar', 'Continue'] },
  how: ['Como indicar quem recebe', 'How to say who is paid'],
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
    'Contas bancárias recebem por TED, aprovada e enviada pela nossa equipe.',
    'Bank accounts are paid by TED, which our team approves and sends.',
  ],
  code: ['Pix copia e cola', 'Pix copy and paste'],
  codeHint: ['Cole o texto inteiro: ele começa com 000201.', 'Paste all of it: it begins with 000201.'],
  scan: ['Ler com a câmera', 'Scan with the camera'],
  stopScan: ['Fechar câmera', 'Close camera'],
  noCamera: ['A câmera não abriu. Cole o código.', 'The camera did not open. Paste the code.'],
  read: ['Ler código', 'Read code'],
  payee: ['Quem recebe', 'Payee'],
  payeeNote: [
    'O nome é o que o código traz: confira com quem o mandou.',
    'The name is what the code says: check it with the person who sent it.',
  ],
  noTxid: [
    'O pagamento vai pela chave, sem o número da cobrança: quem recebe pode não dar baixa sozinho.',
    'It is paid by the key, without the charge’s number: the payee’s charge may not be settled by itself.',
  ],
  howMuch: { title: ['Quanto?', 'How much?'], next: ['Revisar', 'Review'] },
  confirm: {
    title: ['Confira', 'Review'],
    send: ['Sacar {amount}', 'Withdraw {amount}'],
  },
  available: ['Disponível: {amount}', 'Available: {amount}'],
  today: ['Limite restante hoje: {amount}, até {until}', 'Left of today’s limit: {amount}, until {until}'],
  taken: ['Sai do saldo', 'Taken from the balance'],
  arrives: ['Chega ao destino', 'Arrives'],
  back: ['Voltar', 'Back'],
  missing: ['Falta no saldo', 'Missing from the balance'],
  approval: ['Aprovação', 'Approval'],
  approvals: [
    (count: number) =>
      count === 1 ? 'Depende da nossa equipe' : `Depende de ${count} pessoas da nossa equipe`,
    (count: number) => (count === 1 ? 'By our team' : `By ${count} people of our team`),
  ],
  payableFrom: ['Destino novo: sai a partir de', 'New destination: paid from'],
  noAmount: ['Informe o valor.', 'Enter the amount.'],
  tooLow: ['O valor precisa ser maior que a tarifa.', 'The amount must be above the fee.'],
  production: [
    'Dinheiro de verdade: depois de confirmar, um Pix não volta.',
    'Real money: once confirmed, a Pix can’t be taken back.',
  ],
  created: ['Saque pedido', 'Withdrawal ordered'],
  resuming: [
    'A página foi recarregada antes da resposta. Conferindo o saque que você pediu…',
    'The page was reloaded before the answer came. Looking for the withdrawal you ordered…',
  ],
});
