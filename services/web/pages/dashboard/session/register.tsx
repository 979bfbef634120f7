import { registration } from '@plataforma/contracts/registration';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { DocumentField, Field, PhoneField } from '../../components/field/field.tsx';
import { Form, named, textsIn } from '../../components/form/form.tsx';
import { call } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { AuthLayout } from './auth-layout.tsx';
import { logIn } from './session.ts';
import { sessionWords } from './words.ts';

function registrationIn(data: FormData) {
  return {
    ...textsIn(data, 'email', 'companyName', 'cnpj', 'phone'),
    password: String(data.get('password') ?? ''),
  };
}

/** The registration of an account. The page opens test mode afterwards. */
export function RegisterPage() {
  const words = useWords(sessionWords);
  const change = useMutation({
    mutationFn: async (body: ReturnType<typeof registrationIn>) => {
      await call('POST /v1/auth/register', { body });
      await logIn({ email: body.email, password: body.password });
    },
    onSuccess: () => location.assign('/test'),
  });
  return (
    <AuthLayout title={words.registerTitle} text={words.registerText}>
      <Form schema={registration} read={registrationIn} change={change} action={words.register}>
        <Field {...named(words, 'companyName')} autoComplete="organization" required autoFocus />
        <DocumentField {...named(words, 'cnpj')} required />
        <PhoneField {...named(words, 'phone')} autoComplete="tel-national" required />
        <Field {...named(words, 'email')} type="email" autoComplete="username" required />
        <Field {...named(words, 'password')} type="password" autoComplete="new-password" required />
      </Form>
      <p>
        {words.haveAccount} <Link to="/login">{words.logIn}</Link>
      </p>
    </AuthLayout>
  );
}
