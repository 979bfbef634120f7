import { pageWords } from '../../shared/page-words.ts';

export const sessionWords = pageWords({
  logIn: ['Entrar', 'Log in'],
  logInTitle: ['Entre na sua conta', 'Log in to your account'],
  email: ['E-mail', 'E-mail'],
  passwordHint: ['No mínimo 8 caracteres.', 'At least 8 characters.'],
  noAccount: ['Ainda não tem conta?', 'No account yet?'],
  register: ['Criar conta', 'Create account'],
  registerTitle: ['Crie sua conta', 'Create your account'],
  registerText: [
    'O modo de teste funciona na hora. Produção abre depois da aprovação da conta.',
    'Test mode works immediately. Production opens after account approval.',
  ],
  companyName: ['Nome da empresa', 'Company name'],
  phone: ['Telefone com DDD', 'Phone with area code'],
  phoneHint: ['Seus compradores o veem na página de pagamento.', 'Your buyers see it on the payment page.'],
  termsTitle: ['Termos', 'Terms'],
  accept: ['Li e aceito os', 'I have read and accept the'],
  terms: ['termos de uso', 'terms of use'],
  privacy: ['Aviso de privacidade', 'Privacy notice'],
  haveAccount: ['Já tem conta?', 'Already have an account?'],
});
