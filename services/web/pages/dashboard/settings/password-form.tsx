import { passwordChange } from '@plataforma/contracts/password-change';
import { useState } from 'react';
import { Field } from '../../components/field/field.tsx';
import { Form, named } from '../../components/form/form.tsx';
import { call } from '../../shared/api.ts';
import { useWords } from '../../shared/language.ts';
import { refuseWeak } from '../../shared/refusals.ts';
import { useChange } from '../changes/use-change.ts';
import { settingsWords } from './words.ts';

function changeIn(data: FormData) {
  const fieldText = (name: string) => String(data.get(name) ?? '');
  return { currentPassword: fieldText('currentPassword'), newPassword: fieldText('newPassword') };
}

/** The form contains the e-mail, so that a password manager knows which account the password is for. */
export function PasswordForm({ email }: { email: string }) {
  const words = useWords(settingsWords);
  const [changes, setChanges] = useState(0);
  const change = useChange({
    send: async (body: ReturnType<typeof changeIn>) => {
      await refuseWeak('newPassword', body.newPassword, [email]);
      return call('POST /v1/auth/password', { body });
    },
    changes: ['session'],
    done: words.passwordChanged,
    onDone: () => setChanges(changes + 1),
  });
  return (
    <Form
      key={changes}
      schema={passwordChange}
      read={changeIn}
      change={change}
      action={words.changePassword}
      kind="plain"
    >
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <Field {...named(words, 'currentPassword')} type="password" autoComplete="current-password" required />
      <Field {...named(words, 'newPassword')} type="password" autoComplete="new-password" required />
    </Form>
  );
}
