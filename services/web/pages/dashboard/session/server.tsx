/** @jsxImportSource preact */

import type { Language } from '@plataforma/contracts/catalogue';
import type { InputHTMLAttributes } from 'preact';
import { renderToString } from 'preact-render-to-string';
import button from '../../components/button/button.module.css';
import { classes } from '../../components/classes.ts';
import field from '../../components/field/field.module.css';
import form from '../../components/form/form.module.css';
import states from '../../components/states/states.module.css';
import tones from '../../components/tones.module.css';
import { wordsOfCode } from '../../shared/error-words.ts';
import authLayout from './auth-layout.module.css';
import { pathAfterLogIn } from './path-after-log-in.ts';
import { sessionWords } from './words.ts';

interface LogInRequest {
  language: Language;
  /** The path says which environment the page shows. */
  path: string;
  next: string | undefined;
  /** The error code of the form that was sent last. */
  refused: string | undefined;
}

/**
 * Renders the log-in page with an HTML form. The HTML looks like the page that the script renders, and works
 * without script.
 */
export function renderLogIn({ language, path, next, refused }: LogInRequest) {
  const words = sessionWords[language];
  const base = pathAfterLogIn(undefined, path).replace(/\/$/, '');
  const body = renderToString(
    <div class={authLayout.page}>
      <main class={authLayout.card}>
        <h1 class={authLayout.title}>{words.logInTitle}</h1>
        {refused && <div class={classes(states.notice, tones.bad)}>{wordsOfCode(refused, language)}</div>}
        <form id="log-in" class={form.form} action="/api/session" method="post">
          <Field
            label={words.email}
            input={{ name: 'email', type: 'email', autocomplete: 'username', autofocus: true }}
          />
          <Field
            label={words.password}
            input={{ name: 'password', type: 'password', autocomplete: 'current-password' }}
          />
          <input type="hidden" name="next" value={pathAfterLogIn(next, path)} />
          <div class={form.actions}>
            <button type="submit" class={classes(button.button, button.primary)}>
              <span>{words.logIn}</span>
            </button>
          </div>
        </form>
        <p>
          {words.noAccount} <a href={`${base}/register`}>{words.register}</a>
        </p>
      </main>
    </div>,
  );
  return { title: words.logInTitle, body };
}

interface FieldProps {
  label: string;
  input: InputHTMLAttributes<HTMLInputElement> & { name: string };
}

function Field({ label, input }: FieldProps) {
  return (
    <div class={field.field}>
      <label for={input.name} class={field.label}>
        {label}
      </label>
      <input id={input.name} {...input} class={field.input} required />
    </div>
  );
}
