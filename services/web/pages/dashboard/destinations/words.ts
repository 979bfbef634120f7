import { pageWords } from '../../shared/page-words.ts';

export const pixKeyTypes = {
  CPF: ['CPF', 'CPF'],
  CNPJ: ['CNPJ', 'CNPJ'],
  EMAIL: ['E-mail', 'E-mail'],
  PHONE: ['Telefone', 'Phone'],
  EVP: ['Chave aleatória', 'Random key'],
} as const;

export const destinationWords = pageWords({
  add: ['Novo destino', 'New destination'],
  addTitle: ['Salvar destino', 'Save destination'],
  kind: ['Tipo de destino', 'Destination type'],
  bankAccount: ['Conta bancária', 'Bank account'],
  where: ['Chave ou conta', 'Key or account'],
  pixKey: ['Chave Pix', 'Pix key'],
  pixKeyType: ['Tipo da chave', 'Key type'],
  keyTypes: pixKeyTypes,
  pixKeyExamples: [
    'CPF, CNPJ, e-mail, telefone ou chave aleatória.',
    'CPF, CNPJ, e-mail, phone or random key.',
  ],
  byKey: ['Automático', 'Automatic'],
  choose: ['Escolha', 'Choose'],
  correctable: [
    'Reconhecido pela chave. Você pode corrigir.',
    'Recognized from the key. You can correct it.',
  ],
  cpfOrPhone: [
    'Estes números podem ser um CPF ou um celular. Qual é?',
    'These digits can be a CPF or a mobile phone. Which one?',
  ],
  label: ['Apelido', 'Label'],
  labelHint: ['Só você vê.', 'Only you see it.'],
  bankCodeHint: ['Digite o nome ou os três dígitos.', 'Type its name or its three digits.'],
  account: ['Conta com dígito', 'Account with check digit'],
  accountType: ['Tipo de conta', 'Account type'],
  accountTypes: { CHECKING: ['Corrente', 'Checking'], SAVINGS: ['Poupança', 'Savings'] },
  holderName: ['Nome do titular', 'Holder’s name'],
  holderDocument: ['CPF ou CNPJ do titular', 'Holder’s CPF or CNPJ'],
  saveDestination: ['Salvar destino', 'Save destination'],
  saved: ['Destino salvo', 'Destination saved'],
  removeTitle: ['Apagar destino?', 'Delete this destination?'],
  removeText: [
    'Saques já pedidos a ele não mudam. Você pode salvá-lo de novo, e a carência recomeça.',
    'Existing withdrawals to it do not change. You can save it again, and its cool-down starts again.',
  ],
  removed: ['Destino apagado', 'Destination deleted'],
  created: ['Salvo em', 'Saved'],
  usable: ['Em produção', 'In production'],
  since: ['Já pode receber', 'Can be paid'],
  from: ['Recebe a partir de', 'Can be paid from'],
  cooldown: [
    'Um destino novo tem uma carência de {hours} h em produção, para você perceber uma troca indevida.',
    'A new destination has a cool-down of {hours} h in production, so that you can notice an unwanted change.',
  ],
  emptyText: [
    'Salve as chaves e contas para as quais você saca com frequência.',
    'Save the keys and accounts you often withdraw to.',
  ],
  someBank: ['Banco {code}', 'Bank {code}'],
  bankText: ['{bank} · ag. {branch} · conta {account}', '{bank} · branch {branch} · account {account}'],
});
