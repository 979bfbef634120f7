import { getRouteApi, Link } from '@tanstack/react-router';
import { Notice } from '../../components/states/states.tsx';
import { useWords } from '../../shared/language.ts';
import { useCodeText } from '../../shared/refusals.ts';
import { AuthLayout } from './auth-layout.tsx';
import { LogInForm } from './log-in-form.tsx';
import { pathAfterLogIn } from './path-after-log-in.ts';
import { sessionWords } from './words.ts';

const route = getRouteApi('/login');

export function LogInPage() {
  const words = useWords(sessionWords);
  const errorText = useCodeText();
  const { next, refused } = route.useSearch();
  return (
    <AuthLayout title={words.logInTitle}>
      {refused && <Notice tone="bad">{errorText(refused)}</Notice>}
      <LogInForm onDone={() => location.assign(pathAfterLogIn(next, location.pathname))} />
      <p>
        {words.noAccount} <Link to="/register">{words.register}</Link>
      </p>
    </AuthLayout>
  );
}
