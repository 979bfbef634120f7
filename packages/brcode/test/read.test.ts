import { describe, expect, test } from '@jest/globals';
import { crc16 } from '../src/crc.ts';
import { readCode } from '../src/index.ts';
import { bodyWith, codeOf, field, GUI, reasonOf, sealed } from './codes.ts';
import published from './vectors.json' with { type: 'json' };

const CENTS: Record<string, number> = { S5: 12500, S6: 10000, S8: 90, S9: 1, S13: 12345, S14: 12345 };

const REASONS: Record<string, string> = {
  X1: 'INVALID_MERCHANT',
  X5: 'TOO_LONG',
  X6: 'MALFORMED',
  X8: 'WRONG_CHECKSUM',
  X9: 'WRONG_CHECKSUM',
  X10: 'NOT_PIX',
};

const readable = published.vectors.filter(({ status }) => status !== 'invalid');
const refused = published.vectors.filter(({ id }) => id in REASONS);

describe('published codes', () => {
  test('each code except X3 is read or refused', () => {
    expect(readable.length + refused.length).toBe(published.vectors.length - 1);
  });

  test.each(readable)('$id is read as published', ({ id, brcode, decoded }) => {
    const code = codeOf(brcode);

    expect(code).toMatchObject({
      merchantName: decoded?.merchantName,
      merchantCity: decoded?.merchantCity,
    });
    if (code.kind === 'static') {
      expect(decoded?.kind).toBe('static');
      expect(code.pixKey).toBe(decoded?.pixKey);
      expect(code.info).toBe(decoded?.info);
      expect(code.amount).toBe(CENTS[id] ?? null);
      expect(code.txid ?? '***').toBe(decoded?.txid);
    } else {
      expect([code.amount, code.txid]).toEqual([null, null]);
      expect(code.kind === 'dynamic' ? code.url : undefined).toBe(decoded?.url);
      expect(code.recurrenceUrl).toBe(decoded?.recUrl);
    }
  });

  test.each([
    ['S1', 'static'],
    ['D4', 'dynamic'],
    ['C1', 'recurrence'],
    ['C2', 'dynamic'],
  ])('%s is a %s code', (id, kind) => {
    const brcode = published.vectors.find((vector) => vector.id === id)?.brcode ?? '';

    const code = codeOf(brcode);

    expect(code.kind).toBe(kind);
  });

  test.each(refused)('$id is refused: $note', ({ id, brcode }) => {
    const result = readCode(brcode);

    expect(result).toEqual({ ok: false, reason: REASONS[id], message: expect.stringMatching(/\.$/) });
  });

  test('X3 is read with a warning about its URL scheme', () => {
    const brcode = published.vectors.find(({ id }) => id === 'X3')?.brcode ?? '';

    const code = codeOf(brcode);

    expect(code).toMatchObject({
      kind: 'dynamic',
      url: 'qr-h.sandbox.pix.bcb.gov.br/rest/api/v2/ac8ab4efe7db4200885f5ab3c3472',
      warnings: ['URL_SCHEME'],
    });
  });

  test('the manual’s sample with a hyphenated txid gives a warning', () => {
    const brcode = published.vectors.find(({ id }) => id === 'S14')?.brcode ?? '';

    const code = codeOf(brcode);

    expect(code).toMatchObject({ txid: 'RP12345678-2019', warnings: ['TXID_CHARACTERS'] });
  });

  test('a value shorter than its length is malformed', () => {
    expect(reasonOf('421337BF8A')).toBe('MALFORMED');
  });
});

describe('amounts', () => {
  test.each([
    ['100', 10000],
    ['10.', 1000],
    ['0.9', 90],
    ['.10', 10],
    ['.1', 10],
    ['1.20', 120],
    ['0019.99', 1999],
    ['9999999999.99', 999999999999],
    ['9999999999999', 999999999999900],
    ['0', null],
    ['0.0', null],
    ['0.00', null],
  ])('"%s" is %p cents', (printed, cents) => {
    const code = codeOf(sealed(bodyWith({ amount: field('54', printed) })));

    expect(code.amount).toBe(cents);
  });

  test.each(['.', '1.234', '1,20', '1.000.00', '-1', '+1', '1e2', ' 1', '1 ', '٣', '0x10', '99999999999.99'])(
    '"%s" is refused',
    (printed) => {
      const reason = reasonOf(sealed(bodyWith({ amount: field('54', printed) })));

      expect(reason).toBe('INVALID_AMOUNT');
    },
  );

  test('a dynamic code is read despite invalid amount and txid', () => {
    const body = bodyWith({
      account: field('26', GUI + field('25', 'pix.example.com/x')),
      amount: field('54', 'ten'),
      additional: field('62', 'nonsense'),
    });

    const code = codeOf(sealed(body));

    expect(code).toMatchObject({ kind: 'dynamic', amount: null, txid: null });
  });
});

describe('accents', () => {
  test.each(['utf8', 'latin1'] as const)(
    'a checksum over %s is accepted and lengths count characters',
    (encoding) => {
      const body = bodyWith({ name: field('59', 'Padaria São João'), city: field('60', 'MACEIÓ') });

      const code = codeOf(sealed(body, encoding));

      expect(code).toMatchObject({ merchantName: 'Padaria São João', merchantCity: 'MACEIÓ' });
    },
  );

  test('a Latin-1 checksum is wrong for characters outside Latin-1', () => {
    const body = bodyWith({ name: field('59', 'Łódź') });

    expect(reasonOf(sealed(body, 'latin1'))).toBe('WRONG_CHECKSUM');
    expect(reasonOf(sealed(body, 'utf8'))).toBe('none');
  });

  test.each([
    ['Loja\u0000', 'FORBIDDEN_CHARACTER'],
    ['Loja\ud800', 'FORBIDDEN_CHARACTER'],
    ['Loja😀', 'FORBIDDEN_CHARACTER'],
    ['Lo\nja', 'WRONG_CHECKSUM'],
    ['Loja\u202e', 'WRONG_CHECKSUM'],
    ['Lo\u2028ja', 'WRONG_CHECKSUM'],
  ])('a name with an unsafe character is refused (%j)', (name, reason) => {
    expect(reasonOf(sealed(bodyWith({ name: field('59', name) })))).toBe(reason);
  });
});

describe('the code structure', () => {
  test.each([
    ['00 is not first', bodyWith({}).replace(/^000201(.*)(5204\d{4})/, '$2000201$1'), 'MALFORMED'],
    ['the format is not 01', bodyWith({}).replace('000201', '000202'), 'MALFORMED'],
    ['the currency is not BRL', bodyWith({}).replace('5303986', '5303840'), 'WRONG_CURRENCY'],
    ['the country is not Brazil', bodyWith({}).replace('5802BR', '5802US'), 'WRONG_CURRENCY'],
    ['the currency is absent', bodyWith({}).replace('5303986', ''), 'MALFORMED'],
    ['a field is repeated', `${bodyWith({})}${field('59', 'Other')}`, 'DUPLICATE_TAG'],
    ['a field is empty', `${bodyWith({})}6100`, 'MALFORMED'],
    ['the name is absent', bodyWith({ name: '' }), 'MALFORMED'],
    ['the name is blank', bodyWith({ name: field('59', ' ') }), 'INVALID_MERCHANT'],
    ['the city has 16 characters', bodyWith({ city: field('60', 'Pindamonhangabas') }), 'INVALID_MERCHANT'],
    [
      'the txid has 26 characters',
      bodyWith({ additional: field('62', field('05', 'x'.repeat(26))) }),
      'INVALID_TXID',
    ],
    ['the additional template is broken', bodyWith({ additional: field('62', 'nonsense') }), 'MALFORMED'],
  ])('a code is refused when %s', (_, body, reason) => {
    expect(reasonOf(sealed(body))).toBe(reason);
  });

  test.each([
    ['63 is not the last field', '63041234', '8004'],
    ['field 63 is longer than the checksum', '', '6305x'],
    ['there is no field 63', '', '8004'],
  ])('a code with a right checksum is refused when %s', (_, before, last) => {
    const covered = bodyWith({}) + before + last;

    const reason = reasonOf(covered + crc16(Buffer.from(covered)));

    expect(reason).toBe('MALFORMED');
  });

  test('a code without a txid is read', () => {
    const code = codeOf(sealed(bodyWith({ additional: '' })));

    expect(code.txid).toBeNull();
  });

  test('512 characters are read and 513 are not', () => {
    const body = bodyWith({});
    const short = body + ['81', '82', '83'].map((tag) => field(tag, 'x'.repeat(99))).join('');
    const room = 512 - short.length - 8 - 4;

    const full = sealed(`${short}${field('84', 'x'.repeat(room))}`);
    const over = sealed(`${short}${field('84', 'x'.repeat(room + 1))}`);

    expect([full.length, over.length]).toEqual([512, 513]);
    expect([reasonOf(full), reasonOf(over)]).toEqual(['none', 'TOO_LONG']);
  });

  test('outer blanks and a lower-case checksum are accepted', () => {
    const code = sealed(bodyWith({}));

    const pasted = readCode(` \n${code.slice(0, -4)}${code.slice(-4).toLowerCase()}\t\n`);

    expect(pasted).toEqual(readCode(code));
  });

  test.each([
    '\n',
    '\r\n',
    '\r\n  ',
    ' \n\u00a0\u200b ',
    '\u2028',
    '\u200b',
    '\u200e',
    '\u2060',
    '\ufeff',
    '\u00ad',
  ])('a copied code with %j in and around it is read', (added) => {
    const code = sealed(bodyWith({ name: field('59', 'Loja da Ana') }));

    const pasted = `${added}${code.slice(0, 40)}${added}${code.slice(40, -2)}${added}${code.slice(-2)}${added}`;

    expect(readCode(pasted)).toEqual(readCode(code));
    expect(codeOf(pasted).merchantName).toBe('Loja da Ana');
  });

  test.each([40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55])(
    'a code wrapped after each %d characters is read',
    (width) => {
      const code = sealed(bodyWith({ name: field('59', 'Loja da Ana e da Lia') }));

      const lines = code.match(new RegExp(`.{1,${width}}`, 'g')) ?? [];

      expect(lines.length).toBeGreaterThan(1);
      expect([readCode(lines.join('\r\n')), readCode(lines.join('\n    '))].map((read) => read.ok)).toEqual([
        true,
        !lines.some((line) => line !== line.trim()),
      ]);
    },
  );

  test('blanks at the end of a name are dropped', () => {
    const code = codeOf(sealed(bodyWith({ name: field('59', 'Loja ') })));

    expect(code.merchantName).toBe('Loja');
  });
});
