import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Field } from '../../parts/field/field.tsx';
import { Form, textIn } from '../../parts/form/form.tsx';
import { useWords } from '../../shared/language.ts';
import { logIn } from './session.ts';
import { typedSoFar } from './typed.ts';
import { sessionWords } from './words.ts';

/** A password is sent as it was typed. */
function credentialsIn(data: FormData) {
  return { email: textIn(data, 'email'), password: String(data.get('password') ?? '') };
}

export function LogInForm({ onDone }: { onDone: () => void }) {
  const words = useWords(sessionWords);
  const [typed] = useState(typedSoFar);
  const change = useMutation({ mutationFn: logIn, onSuccess: onDone });
  return (
    <Form read={credentialsIn} change={change} action={words.logIn}>
      <Field
        label={words.email}
        name="email"
        type="email"
        autoComplete="username"
        defaultValue={typed.email}
        required
        autoFocus={!typed.isAtPassword}
      />
      <Field
        label={words.password}
        name="password"
        type="password"
        autoComplete="current-password"
        defaultValue={typed.password}
        autoFocus={typed.isAtPassword}
        required
      />
    </Form>
  );
}
