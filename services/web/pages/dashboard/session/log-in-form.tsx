import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Field } from '../../components/field/field.tsx';
import { Form, textIn } from '../../components/form/form.tsx';
import { useWords } from '../../shared/language.ts';
import { logIn } from './session.ts';
import { sessionWords } from './words.ts';

/** The password is sent as it is typed, with its spaces. */
function credentialsIn(data: FormData) {
  return { email: textIn(data, 'email'), password: String(data.get('password') ?? '') };
}

export function LogInForm({ onDone }: { onDone: () => void }) {
  const words = useWords(sessionWords);
  const [initial] = useState(typedSoFar);
  const change = useMutation({ mutationFn: logIn, onSuccess: onDone });
  return (
    <Form read={credentialsIn} change={change} action={words.logIn}>
      <Field
        label={words.email}
        name="email"
        type="email"
        autoComplete="username"
        defaultValue={initial.email}
        required
        autoFocus={!initial.isAtPassword}
      />
      <Field
        label={words.password}
        name="password"
        type="password"
        autoComplete="current-password"
        defaultValue={initial.password}
        autoFocus={initial.isAtPassword}
        required
      />
    </Form>
  );
}

/**
 * Returns the text that the user has already entered in the server's form, and whether the password field has
 * the focus.
 */
function typedSoFar(): { email: string; password: string; isAtPassword: boolean } {
  const data = new FormData(formOfServer() ?? undefined);
  const fieldText = (name: string) => String(data.get(name) ?? '');
  return {
    email: fieldText('email'),
    password: fieldText('password'),
    isAtPassword: document.activeElement?.id === 'password',
  };
}

function formOfServer(): HTMLFormElement | null {
  const form = document.querySelector('form#log-in');
  return form instanceof HTMLFormElement ? form : null;
}
