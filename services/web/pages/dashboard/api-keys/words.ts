import { pageWords } from '../../shared/page-words.ts';

export const keyWords = pageWords({
  nameHint: [
    'Onde ela é usada, como “loja” ou “testes”.',
    'Where the key is used, such as “shop” or “tests”.',
  ],
  create: ['Nova chave', 'New key'],
  createTitle: ['Criar chave de API', 'Create an API key'],
  make: ['Criar chave', 'Create key'],
  environments: { sandbox: ['Teste', 'Test'], production: ['Produção', 'Production'] },
  scopes: ['Escopos', 'Scopes'],
  scope: {
    'charges:write': ['Criar e devolver cobranças', 'Create and refund charges'],
    'charges:read': ['Consultar cobranças', 'Read charges'],
    'wallet:read': ['Consultar saldo e extrato', 'Read balance and statement'],
    'withdrawals:write': ['Sacar', 'Withdraw'],
    'refunds:write': ['Devolver cobranças', 'Refund charges'],
    'disputes:write': ['Responder contestações', 'Respond to disputes'],
    'webhooks:write': [
      'Configurar webhooks e trocar seus segredos',
      'Configure webhooks and rotate their secrets',
    ],
    'events:read': ['Ler todos os eventos', 'Read all events'],
  },
  use: ['Uso da chave', 'Use of the key'],
  uses: {
    shop: ['Loja', 'Shop'],
    reconciliation: ['Conciliação', 'Reconciliation'],
    all: ['Tudo', 'Everything'],
  },
  own: ['Escolher', 'Choose'],
  allowedIps: ['Endereços IP permitidos', 'Allowed IP addresses'],
  allowedIpsHint: [
    'Endereços ou faixas, um por linha. Em branco: todos.',
    'Addresses or ranges, one per line. Leave empty to allow all.',
  ],
  expires: ['Expira em', 'Expires on'],
  expiresHint: [
    'Em branco: não expira. Vale até o fim do dia, no fuso {offset}.',
    'Leave empty for no expiry. The key works until the end of the day, in {offset}.',
  ],
  key: ['Chave', 'Key'],
  never: ['Nunca', 'Never'],
  until: ['Vale até', 'Works until'],
  rotate: ['Trocar', 'Rotate'],
  rotateTitle: ['Trocar chave', 'Rotate key'],
  rotateText: [
    'Cria uma chave com o mesmo nome e os mesmos escopos ({scopes}). Escolha por quanto tempo a antiga ainda vale.',
    'Creates a key with the same name and scopes ({scopes}). Choose how long the old key keeps working.',
  ],
  grace: ['A chave antiga vale', 'The old key works'],
  revoke: ['Revogar', 'Revoke'],
  revokeTitle: ['Revogar “{name}”?', 'Revoke “{name}”?'],
  revokeText: [
    'Requisições com esta chave são recusadas em até cinco segundos. Isto não pode ser desfeito.',
    'Requests with this key are refused within five seconds. This can’t be undone.',
  ],
  revoked: ['Chave revogada', 'Key revoked'],
  secretTitle: ['Sua chave nova', 'Your new key'],
  emptyTitle: ['Nenhuma chave ainda', 'No keys yet'],
  emptyText: [
    'Seu servidor usa uma chave para criar cobranças e consultar o saldo.',
    'Your server uses a key to create charges and read the balance.',
  ],
});
