import { pageWords } from '../../shared/page-words.ts';

export const keyWords = pageWords({
  nameHint: ['Onde ela é usada, como “loja” ou “testes”.', 'Where it is used, such as “shop” or “tests”.'],
  create: ['Nova chave', 'New key'],
  createTitle: ['Criar chave de API', 'Create an API key'],
  make: ['Criar chave', 'Create key'],
  environments: { sandbox: ['Teste', 'Test'], production: ['Produção', 'Production'] },
  scopes: ['Permissões', 'Permissions'],
  scope: {
    'charges:write': ['Criar e devolver cobranças', 'Create and refund charges'],
    'charges:read': ['Consultar cobranças', 'Read charges'],
    'wallet:read': ['Consultar saldo e extrato', 'Read balance and statement'],
    'withdrawals:write': ['Sacar', 'Withdraw'],
    'refunds:write': ['Devolver cobranças', 'Refund charges'],
    'disputes:write': ['Responder contestações', 'Answer disputes'],
    'webhooks:write': [
      'Configurar webhooks e trocar seus segredos',
      'Configure webhooks and rotate their secrets',
    ],
    'events:read': ['Ler todos os eventos', 'Read all events'],
  },
  narrower: [
    'Permissões menores (desmarque acima o que a chave não deve poder)',
    'Narrower permissions (uncheck above what the key should not do)',
  ],
  allowedIps: ['Só destes endereços', 'Only from these addresses'],
  allowedIpsHint: [
    'IPs ou faixas, um por linha. Em branco: de qualquer lugar.',
    'IPs or ranges, one per line. Leave empty for anywhere.',
  ],
  expires: ['Expira em', 'Expires on'],
  expiresHint: [
    'Em branco: não expira. Vale até o fim do dia, no fuso {offset}.',
    'Leave empty for never. It works until the end of the day, in {offset}.',
  ],
  key: ['Chave', 'Key'],
  never: ['Nunca', 'Never'],
  until: ['Vale até', 'Works until'],
  rotate: ['Trocar', 'Rotate'],
  rotateTitle: ['Trocar chave', 'Rotate the key'],
  rotateText: [
    'Uma chave nova, com o mesmo nome e as mesmas permissões ({scopes}). Escolha por quanto tempo a antiga ainda vale.',
    'A new key with the same name and permissions ({scopes}). Choose how long the old one keeps working.',
  ],
  grace: ['A chave antiga vale', 'The old key works'],
  revoke: ['Revogar', 'Revoke'],
  revokeTitle: ['Revogar “{name}”?', 'Revoke “{name}”?'],
  revokeText: [
    'Em até cinco segundos, nenhuma requisição com ela é aceita. Não dá para desfazer.',
    'Within five seconds no request with it is accepted. This can’t be undone.',
  ],
  revoked: ['Chave revogada', 'Key revoked'],
  secretTitle: ['Sua chave nova', 'Your new key'],
  emptyTitle: ['Nenhuma chave ainda', 'No keys yet'],
  emptyText: [
    'Com uma chave, o seu servidor cria cobranças e consulta o saldo.',
    'With a key your server creates charges and reads the balance.',
  ],
});
