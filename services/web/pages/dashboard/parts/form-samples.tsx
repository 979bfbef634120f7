import { useState } from 'react';
import { Button, IconButton } from '../../parts/button/button.tsx';
import { Card } from '../../parts/card/card.tsx';
import { Combobox } from '../../parts/combobox/combobox.tsx';
import { DateRange, type Period } from '../../parts/date-range/date-range.tsx';
import { Checkbox, Radio, Switch } from '../../parts/field/choices.tsx';
import { DocumentField, Field, MoneyField, PhoneField, Select, TextArea } from '../../parts/field/field.tsx';
import { Segments, Tabs, tabClass } from '../../parts/tabs/tabs.tsx';
import { useWords } from '../../shared/language.ts';
import styles from './parts.module.css';
import { showcaseWords } from './words.ts';

export function ButtonSamples() {
  const { sample } = useWords(showcaseWords);
  return (
    <Card title="Button, IconButton">
      <div className={styles.row}>
        <Button kind="primary">{sample}</Button>
        <Button>{sample}</Button>
        <Button kind="danger">{sample}</Button>
        <Button kind="quiet">{sample}</Button>
        <Button size="small" icon="plus">
          {sample}
        </Button>
        <Button kind="primary" busy>
          {sample}
        </Button>
        <Button disabled>{sample}</Button>
        <IconButton icon="copy" label={sample} />
      </div>
    </Card>
  );
}

const DAYS = [
  { value: '7', label: '7' },
  { value: '30', label: '30' },
  { value: '90', label: '90' },
];

export function FieldSamples() {
  const { sample } = useWords(showcaseWords);
  const [period, setPeriod] = useState<Period>({});
  const [days, setDays] = useState('7');
  return (
    <Card title="Field, TextArea, Select, MoneyField, DocumentField, PhoneField, DateRange, Segments, choices">
      <div className={styles.grid}>
        <Field label="Field" name="field" hint={sample} />
        <Field label="Field required={false}" name="optional" required={false} />
        <Field label="Field error" name="wrong" error={sample} defaultValue="x" />
        <Field label="Field readOnly" name="read" readOnly value={sample} />
        <Select label="Select" name="select" options={DAYS} />
        <Combobox label="Combobox" name="combobox" options={DAYS} hint={sample} />
        <MoneyField label="MoneyField" name="money" cents={123_456} />
        <DocumentField label="DocumentField" name="document" />
        <PhoneField label="PhoneField" name="phone" />
        <TextArea label="TextArea" name="area" />
        <Segments label="Segments" value={days} options={DAYS} onChange={setDays} />
        <Tabs label="Tabs">
          <a href="#one" className={tabClass} aria-current="page">
            {sample} 1
          </a>
          <a href="#two" className={tabClass}>
            {sample} 2
          </a>
        </Tabs>
        <Checkbox label="Checkbox" hint={sample} defaultChecked />
        <Switch label="Switch" defaultChecked />
        <Radio label="Radio" name="radio" defaultChecked />
      </div>
      <DateRange value={period} onChange={setPeriod} />
    </Card>
  );
}
