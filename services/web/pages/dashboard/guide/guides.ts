import { catalogue } from '@plataforma/contracts/catalogue';

/**
 * Pages of the documentation, with link text and address. A test compares the anchors in these addresses with
 * the headings of the guides.
 */
export const guides = catalogue({
  all: { text: ['Documentação', 'Documentation'], to: ['', ''] },
  firstCharge: {
    text: ['Guia: primeira cobrança', 'Guide: first charge'],
    to: ['first-charge', 'first-charge'],
  },
  keys: {
    text: ['Guia: ir para produção', 'Guide: go to production'],
    to: [
      'production#2-crie-uma-chave-que-so-faz-o-que-precisa',
      'production#2-make-a-key-that-does-only-what-it-needs',
    ],
  },
  webhooks: { text: ['Guia: webhooks', 'Guide: webhooks'], to: ['webhooks', 'webhooks'] },
  verify: {
    text: ['Guia: conferir em outras linguagens', 'Guide: verify in other languages'],
    to: ['webhooks#confira-a-assinatura', 'webhooks#verify-the-signature'],
  },
  feed: {
    text: ['Guia: a lista de eventos', 'Guide: the event feed'],
    to: ['webhooks#se-a-sua-loja-cair', 'webhooks#when-your-shop-is-down'],
  },
  requests: {
    text: ['Guia: achar uma requisição', 'Guide: find a request'],
    to: ['errors#ache-uma-requisicao', 'errors#find-a-request'],
  },
  refunds: {
    text: ['Guia: devoluções', 'Guide: refunds'],
    to: ['refunds-and-disputes#devolva', 'refunds-and-disputes#refund'],
  },
  disputes: {
    text: ['Guia: contestações', 'Guide: disputes'],
    to: ['refunds-and-disputes#receba-uma-contestacao', 'refunds-and-disputes#receive-a-dispute'],
  },
  payouts: { text: ['Guia: saques', 'Guide: withdrawals'], to: ['payouts', 'payouts'] },
  destinations: {
    text: ['Guia: destinos e TED', 'Guide: destinations and bank transfers'],
    to: ['payouts#salve-um-destino-e-pague-por-ted', 'payouts#save-a-destination-and-pay-by-bank-transfer'],
  },
  reconciliation: {
    text: ['Guia: conciliação', 'Guide: reconciliation'],
    to: ['reconciliation', 'reconciliation'],
  },
  receivables: {
    text: ['Guia: recebíveis', 'Guide: receivables'],
    to: ['reconciliation#3-o-que-esta-por-entrar', 'reconciliation#3-what-is-still-to-come'],
  },
  paymentLinks: {
    text: ['Referência: links de pagamento', 'Reference: payment links'],
    to: ['reference/payment-links', 'reference/payment-links'],
  },
  clock: {
    text: ['Guia: relógio de teste', 'Guide: test clock'],
    to: ['test-clock-and-faults#relogio-de-teste', 'test-clock-and-faults#test-clock'],
  },
  providers: {
    text: ['Guia: falhas de provedores', 'Guide: provider faults'],
    to: ['test-clock-and-faults#falhas-de-provedores', 'test-clock-and-faults#provider-faults'],
  },
  faults: {
    text: ['Guia: testar o receptor', 'Guide: test the receiver'],
    to: ['test-clock-and-faults#webhooks', 'test-clock-and-faults#webhooks'],
  },
  payers: {
    text: ['Guia: quem paga errado', 'Guide: payers who pay wrong'],
    to: ['test-clock-and-faults#quem-paga-errado', 'test-clock-and-faults#payers-who-pay-wrong'],
  },
  sdk: { text: ['Guia: SDK', 'Guide: SDK'], to: ['sdk', 'sdk'] },
  cli: { text: ['Guia: linha de comando', 'Guide: command line'], to: ['cli', 'cli'] },
  mcp: { text: ['Guia: assistentes', 'Guide: assistants'], to: ['mcp', 'mcp'] },
});

export type GuideName = keyof (typeof guides)['en'];
