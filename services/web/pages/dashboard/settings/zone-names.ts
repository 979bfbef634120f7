import type { TimeZone } from '@plataforma/kernel';
import { offsetText } from '../../shared/format.ts';

/**
 * The well-known cities of each time zone, for both languages, in the order in which the list shows the
 * zones.
 */
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

/** Returns an option for each time zone: its cities, and its offset from UTC at the given time. */
export function zoneOptions(at: number): { value: string; label: string }[] {
  return Object.entries(cities).map(([value, names]) => {
    return { value, label: names ? `${names} (${offsetText(at, value)})` : value };
  });
}
