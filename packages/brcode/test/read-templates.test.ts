import { describe, expect, test } from '@jest/globals';
import { bodyWith, codeOf, EVP, field, GUI, reasonOf, sealed } from './codes.ts';

describe('account templates', () => {
  test.each(['26', '37', '51'])('the Pix template is found in tag %s, in any letter case', (tag) => {
    const account = field(tag, field('00', 'Br.Gov.BCB.Pix') + field('01', EVP));

    const code = codeOf(sealed(bodyWith({ account })));

    expect(code).toMatchObject({ kind: 'static', pixKey: EVP });
  });

  test.each(['25', '52'])('a Pix template in tag %s is not accepted', (tag) => {
    const account = field(tag, GUI + field('01', EVP));

    expect(reasonOf(sealed(bodyWith({ account })))).not.toBe('none');
  });

  test('templates of other schemes are skipped', () => {
    const account = `${field('26', 'free text')}${field('27', '0012BR.COM.OUTRO')}`;
    const pix = field('43', GUI + field('01', EVP));

    const code = codeOf(sealed(bodyWith({ account: account + pix })));

    expect(code).toMatchObject({ pixKey: EVP });
  });

  test.each([
    ['a key and a URL', field('26', GUI + field('01', EVP) + field('25', 'a.com/b')), 'AMBIGUOUS'],
    [
      'two Pix templates',
      field('26', GUI + field('01', EVP)) + field('27', GUI + field('01', EVP)),
      'AMBIGUOUS',
    ],
    ['a truncated Pix template', field('26', `${GUI}0199`), 'MALFORMED'],
    ['a duplicate key', field('26', GUI + field('01', 'a@b.c') + field('01', 'd@e.f')), 'DUPLICATE_TAG'],
    ['no key and no URL', field('26', GUI), 'NO_DESTINATION'],
    [
      'a Pix Saque facilitator without a valid ISPB',
      field('26', GUI + field('01', 'a@b.c') + field('03', '12')),
      'INVALID_SAQUE',
    ],
  ])('%s makes the code unreadable', (_, account, reason) => {
    expect(reasonOf(sealed(bodyWith({ account })))).toBe(reason);
  });

  test('a Pix Saque contains its facilitator’s ISPB', () => {
    const account = field('26', GUI + field('01', 'a@b.c') + field('03', '12345678'));

    const code = codeOf(sealed(bodyWith({ account, amount: field('54', '0') })));

    expect(code).toMatchObject({ kind: 'static', saqueIspb: '12345678', amount: null });
  });

  test.each(['80', '99'])('a static code keeps the recurrence URL in tag %s', (tag) => {
    const unreserved = field(tag, GUI + field('25', 'pix.example.com/rec/1'));

    const code = codeOf(sealed(bodyWith({ unreserved })));

    expect(code).toMatchObject({ kind: 'static', recurrenceUrl: 'pix.example.com/rec/1', warnings: [] });
  });

  test('an old template in 80 without URL has no recurrence', () => {
    const unreserved = field('80', GUI + field('01', 'PADRAO.URL.PIX/0123ABCD'));

    const code = codeOf(sealed(bodyWith({ unreserved })));

    expect(code).not.toHaveProperty('recurrenceUrl');
  });

  test('two recurrences are ambiguous', () => {
    const offer = GUI + field('25', 'pix.example.com/rec/1');

    expect(reasonOf(sealed(bodyWith({ unreserved: field('80', offer) + field('81', offer) })))).toBe(
      'AMBIGUOUS',
    );
  });
});

describe('URLs', () => {
  test.each(['pix.example.com/x', 'a.b/qr/v2/cobv/8b3d', 'localhost:4010/qr/1', 'HTTPS://pix.example.com/x'])(
    '%s is read without scheme',
    (printed) => {
      const code = codeOf(sealed(bodyWith({ account: field('26', GUI + field('25', printed)) })));

      expect(code).toMatchObject({ url: printed.replace('HTTPS://', '') });
    },
  );

  test.each([
    'http://pix.example.com/x',
    'ftp://pix.example.com/x',
    'https://https://a.com/x',
    'pix.example.com',
    'pix.example.com/',
    '/x',
    'user@pix.example.com/x',
    'pix.example.com\\@evil.com/x',
    'pix.example.com/x?y=1',
    'pix.example.com/x#y',
    'pix example.com/x',
    'pix.example.com:port/x',
  ])('%s is refused', (printed) => {
    expect(reasonOf(sealed(bodyWith({ account: field('26', GUI + field('25', printed)) })))).toBe(
      'INVALID_URL',
    );
  });

  test('a recurrence URL follows the same rules', () => {
    const refused = field('80', GUI + field('25', 'http://a.com/rec/1'));
    const tolerated = field('80', GUI + field('25', 'https://a.com/rec/1'));

    expect(reasonOf(sealed(bodyWith({ unreserved: refused })))).toBe('INVALID_URL');
    expect(codeOf(sealed(bodyWith({ unreserved: tolerated })))).toMatchObject({
      recurrenceUrl: 'a.com/rec/1',
      warnings: ['URL_SCHEME'],
    });
  });
});
