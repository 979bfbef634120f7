import { registration } from '@plataforma/contracts/registration';
import { isCnpj } from '@plataforma/kernel/documents';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Checkbox, Choices } from '../../components/field/choices.tsx';
import { DocumentField, Field, PhoneField } from '../../components/field/field.tsx';
import { Form, filledIn, named, textsIn } from '../../components/form/form.tsx';
import { privacyUrl, termsUrl } from '../../shared/addresses.ts';
import { call } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { refuseWeak } from '../../shared/refusals.ts';
import { AuthLayout } from './auth-layout.tsx';
import { logIn } from './session.ts';
import { sessionWords } from './words.ts';

/** The API accepts a CNPJ with wrong check digits for programs' tests. On this page it is a typing error. */
const checked = registration.extend({
  cnpj: registration.shape.cnpj.refine(isCnpj),
  ...(termsUrl() !== null && { acceptedTerms: registration.shape.acceptedTerms.unwrap() }),
});

function registrationIn(data: FormData) {
  return {
    ...textsIn(data, 'email', 'companyName', 'cnpj', 'phone'),
    ...filledIn(data, 'acceptedTerms'),
    password: String(data.get('password') ?? ''),
  };
}

/** The registration of an account. The page opens test mode afterwards. */
export function RegisterPage() {
  const words = useWords(sessionWords);
  const change = useMutation({
    mutationFn: async (body: ReturnType<typeof registrationIn>) => {
      await refuseWeak('password', body.password, [body.companyName, body.email]);
      await call('POST /v1/auth/register', { body });
      await logIn({ email: body.email, password: body.password });
    },
    onSuccess: () => location.assign('/test'),
  });
  return (
    <AuthLayout title={words.registerTitle} text={words.registerText}>
      <Form schema={checked} read={registrationIn} change={change} action={words.register}>
        <Field {...named(words, 'companyName')} autoComplete="organization" required autoFocus />
        <DocumentField {...named(words, 'cnpj')} required />
        <PhoneField {...named(words, 'phone')} autoComplete="tel-national" required />
        <Field {...named(words, 'email')} type="email" autoComplete="username" required />
        <Field {...named(words, 'password')} type="password" autoComplete="new-password" required />
        <AcceptTerms />
      </Form>
      <p>
        {words.haveAccount} <Link to="/login">{words.logIn}</Link>
      </p>
    </AuthLayout>
  );
}

/** The checkbox for the terms of the installation. Its value is the address that the person accepts. */
function AcceptTerms() {
  const words = useWords(sessionWords);
  const [url, privacy] = [termsUrl(), privacyUrl()];
  if (url === null) return null;
  const linkTo = (href: string, text: string) => (
    <a href={href} target="_blank" rel="noreferrer">
      {text}
    </a>
  );
  const label = (
    <>
      {words.accept} {linkTo(url, words.terms)}
    </>
  );
  return (
    <>
      <Choices legend={words.termsTitle} name="acceptedTerms">
        <Checkbox name="acceptedTerms" value={url} label={label} required />
      </Choices>
      {privacy !== null && <p>{linkTo(privacy, words.privacy)}</p>}
    </>
  );
}
