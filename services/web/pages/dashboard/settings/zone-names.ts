import type { TimeZone } from '@plataforma/kernel';

/** The cities by which people know a zone, in both languages, in the order of the list. */
const cities: Readonly<Record<TimeZone, string>> = {
  'America/Sao_Paulo': 'Brasília, São Paulo',
  'America/Araguaina': 'Araguaína, Palmas',
  'America/Belem': 'Belém, Macapá',
  'America/Boa_Vista': 'Boa Vista',
  'America/Campo_Grande': 'Campo Grande',
  'America/Cuiaba': 'Cuiabá',
  'America/Eirunepe': 'Eirunepé',
  'America/Noronha': 'Fernando de Noronha',
  'America/Fortaleza': 'Fortaleza, São Luís, Teresina, Natal, João Pessoa',
  'America/Maceio': 'Maceió, Aracaju',
  'America/Manaus': 'Manaus',
  'America/Porto_Velho': 'Porto Velho',
  'America/Recife': 'Recife',
  'America/Rio_Branco': 'Rio Branco',
  'America/Bahia': 'Salvador',
  'America/Santarem': 'Santarém',
  UTC: '',
};

/** Lists the zones as a person chooses them, each with its offset at an instant. */
export function zoneOptions(at: Date): { value: string; label: string }[] {
  return Object.entries(cities).map(([timeZone, names]) => {
    const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' });
    const offset = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const utc = offset.replace('GMT', 'UTC').replace('-', '−');
    return { value: timeZone, label: names ? `${names} (${utc})` : timeZone };
  });
}
