import { pageWords } from '../../shared/page-words.ts';

export const reviewWords = pageWords({
  inReview: ['Em análise', 'Under review'],
  approved: ['Conta aprovada', 'Account approved'],
  next: ['O que vem a seguir', 'What comes next'],
  sent: ['Cadastro recebido', 'Registration received'],
  check: ['Conferência dos dados', 'Check of your data'],
  checkText: [
    'Nossa equipe confere a empresa e o contato. Você não precisa fazer nada. Dúvidas? Fale com o suporte.',
    'Our team checks the company and its contact. You do not need to do anything. Questions? Contact support.',
  ],
  open: ['Produção aberta', 'Production open'],
  openText: [
    'Esta página avisa na hora. A partir daí você recebe de verdade: crie em produção os seus links e chaves, porque os de teste não valem lá.',
    'This page says so at once. From then on you receive real money: create your links and keys in production, because those of test mode do not work there.',
  ],
  meanwhile: ['Enquanto isso', 'Meanwhile'],
  meanwhileText: [
    'O modo de teste já tem tudo o que produção tem, sem mover dinheiro: links de pagamento, cobranças por Pix e cartão, devoluções, saques, chaves e webhooks.',
    'Test mode already has all that production has, without moving money: payment links, charges by Pix and card, refunds, withdrawals, keys and webhooks.',
  ],
  toTest: ['Ir para o modo de teste', 'Go to test mode'],
  toProduction: ['Ir para produção', 'Go to production'],
});
