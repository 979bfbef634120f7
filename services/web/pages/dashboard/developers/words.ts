import { catalogue } from '../../shared/language.ts';

export const developerWords = catalogue(
  {
    title: 'Desenvolvedores',
    tabs: { home: 'Começo', keys: 'Chaves de API', webhooks: 'Webhooks', events: 'Eventos' },
    first: 'Primeiro pagamento, em três passos',
    key: '1. Crie uma chave',
    keyText: 'Ela identifica a sua loja em cada pedido. Guarde-a só no servidor.',
    toKeys: 'Criar chave',
    charge: '2. Crie uma cobrança',
    chargeText:
      'Troque a chave. A resposta traz o código Pix; no ambiente de teste, a página da cobrança a paga.',
    hook: '3. Receba o aviso',
    hookText:
      'Salve como receiver.mjs, rode com o segredo do webhook e cadastre http://localhost:4000 em Webhooks. O teste chega na hora.',
    toHooks: 'Criar webhook',
    base: 'Endereço da API',
    run: 'Para rodar',
  },
  {
    title: 'Developers',
    tabs: { home: 'Start', keys: 'API keys', webhooks: 'Webhooks', events: 'Events' },
    first: 'A first payment, in three steps',
    key: '1. Create a key',
    keyText: 'It says which shop a request is from. Keep it on your server only.',
    toKeys: 'Create a key',
    charge: '2. Create a charge',
    chargeText: 'Put your key in. The answer has the Pix code; in test mode the charge’s page pays it.',
    hook: '3. Hear of it',
    hookText:
      'Save as receiver.mjs, run it with the webhook’s secret, and register http://localhost:4000 under Webhooks. The test arrives at once.',
    toHooks: 'Create a webhook',
    base: 'Address of the API',
    run: 'To run it',
  },
);
