import type { Field, Language } from '../src/model.ts';
import { InlineHtml } from './html.tsx';
import { words } from './words.ts';

export function Fields({ fields, language }: { fields: readonly Field[]; language: Language }) {
  return (
    <dl class="fields">
      {fields.map((field) => (
        <FieldRow key={field.name} field={field} language={language} />
      ))}
    </dl>
  );
}

function FieldRow({ field, language }: { field: Field; language: Language }) {
  const say = words[language];
  const { name, type, isRequired, limits, values, children, description } = field;
  return (
    <div>
      <dt>
        <code>{name}</code> <span class="type">{type}</span>
        {isRequired && <span class="required">{say.required}</span>}
        {limits.length > 0 && (
          <span class="limits">
            {limits.map(({ range, unit }) => `${range} ${say.units[unit]}`.trim()).join(', ')}
          </span>
        )}
        {field.default !== undefined && (
          <span class="limits">
            {say.byDefault} <code>{field.default}</code>
          </span>
        )}
      </dt>
      <dd>
        <InlineHtml html={description} />
        {values.length > 0 && (
          <span class="values">
            {values.map((value) => (
              <code key={value}>{value}</code>
            ))}
          </span>
        )}
        {children.length > 0 && (
          <details>
            <summary>
              {say.fieldsOf} <code>{name}</code>
            </summary>
            <Fields fields={children} language={language} />
          </details>
        )}
      </dd>
    </div>
  );
}
