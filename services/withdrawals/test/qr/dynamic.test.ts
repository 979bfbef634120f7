import { describe, expect, test } from '@jest/globals';
import { worldOfFile } from '@plataforma/testing/world';
import { createFakeBank, HOST, KEYS_URL, PIX_KEY, serveJws, TXID } from '../support/qr-bank.ts';
import { asksFor, charge, minutesAgo, NOW } from '../support/qr-charges.ts';
import { codeWith, field } from '../support/qr-codes.ts';
import { startDecoder } from '../support/qr-decoder.ts';
import { invalid } from '../support/qr-signed.ts';

const bank = createFakeBank();
const decoder = worldOfFile(() => startDecoder({ guarded: bank.web, clock: () => NOW }));

describe('a dynamic code', () => {
  test('asks for the amount of the bank’s signed charge', async () => {
    const code = bank.code(charge());
    const before = bank.web.requests.length;

    const { status, data } = await decoder.decode(code);

    expect(status).toBe(200);
    expect(data).toEqual({
      pixKey: PIX_KEY,
      pixKeyType: 'EVP',
      amount: 3700,
      merchantName: 'Fulano de Tal',
      merchantCity: 'BRASILIA',
      txid: TXID,
    });
    expect(bank.web.requests.slice(before)).toEqual([
      {
        url: expect.stringContaining(`https://${HOST}/qr/v2/`),
        headers: expect.objectContaining({ accept: 'application/jose', 'accept-encoding': 'identity' }),
      },
      { url: KEYS_URL, headers: expect.objectContaining({ accept: 'application/json' }) },
    ]);
  });

  test('with own amount and txid uses those of the charge', async () => {
    const location = `${HOST}/qr/v2/priced`;
    bank.web.serve(`https://${location}`, bank.jws(charge()));
    const code = codeWith({ account: field('25', location), amount: '0.01', txid: 'mine' });

    expect(await decoder.decode(code)).toMatchObject(asksFor(3700));
  });

  test('with an additional recurring Pix is read as a charge', async () => {
    const location = `${HOST}/qr/v2/both`;
    bank.web.serve(`https://${location}`, bank.jws(charge()));
    const more = field('80', field('00', 'br.gov.bcb.pix') + field('25', `${HOST}/qr/v2/rec/1`));

    expect(await decoder.decode(codeWith({ account: field('25', location), more }))).toMatchObject(
      asksFor(3700),
    );
  });

  test('gives its key in normal form', async () => {
    const code = bank.code(charge({ chave: PIX_KEY.toUpperCase() }));

    expect(await decoder.decode(code)).toMatchObject({ data: { pixKey: PIX_KEY, pixKeyType: 'EVP' } });
  });
});

describe('the amount', () => {
  test.each([
    [{ original: '37.00' }, 3700],
    [{ original: '37' }, 3700],
    [{ original: '37.5' }, 3750],
    [{ original: '140,45' }, 14045],
    [{ original: 37.5 }, 3750],
    [{ original: 100 }, 10000],
    [{ original: '0.29' }, 29],
    [{ original: '9999999999.99' }, 999999999999],
    [{ original: '0.00', modalidadeAlteracao: 1 }, 0],
    [{ original: 0, modalidadeAlteracao: '1' }, 0],
    [{ original: '50.00', modalidadeAlteracao: 1 }, 5000],
    [{ original: '37.00', final: null, retirada: null, modalidadeAlteracao: null }, 3700],
  ])('of %j is %i cents', async (valor, amount) => {
    expect(await decoder.decode(bank.code(charge({ valor })))).toMatchObject(asksFor(amount));
  });

  test.each([
    [{ original: '0.00' }, 'the charge behind the code asks for no money'],
    [{ original: '0.00', modalidadeAlteracao: 0 }, 'the charge behind the code asks for no money'],
    ...['', '1.234,56', '-1.00', '1e3', '37.001', '12345678901.00', 'NaN', null, [], 0.1 + 0.2, 1e21].map(
      (original): [object, string] => [{ original }, 'the charge behind the code is unreadable'],
    ),
    [
      { original: '0.00', retirada: { saque: { valor: '5.00' } } },
      'the code hands out cash at a counter, which a withdrawal can’t do',
    ],
    [
      { original: '10.00', retirada: { troco: { valor: '5.00' } } },
      'the code hands out cash at a counter, which a withdrawal can’t do',
    ],
  ])('of %j is refused: %s', async (valor, message) => {
    expect(await decoder.decode(bank.code(charge({ valor })))).toMatchObject(invalid(message));
  });
});

test.each([
  [{ criacao: minutesAgo(59), expiracao: 3600 }, true],
  [{ criacao: minutesAgo(60), expiracao: 3600 }, false],
  [{ criacao: minutesAgo(59), expiracao: '3600' }, true],
  [{ criacao: minutesAgo(61), expiracao: '3600' }, false],
  [{ criacao: minutesAgo(24 * 60 - 1) }, true],
  [{ criacao: minutesAgo(24 * 60) }, false],
  [{ criacao: minutesAgo(24 * 60 - 1), expiracao: null }, true],
  [{ criacao: '2026-11-20T11:30:00-03:00', expiracao: 3600 }, true],
  [{ criacao: '2026-11-20T10:30:00-0300', expiracao: 3600 }, false],
  [{ criacao: '2026-11-20T14:30:00', expiracao: 3600 }, true],
  [{ criacao: '2026-11-20T13:30:00.123', expiracao: 3600 }, false],
])('an immediate charge with the calendar %j is payable: %s', async (calendar, isOpen) => {
  const answer = await decoder.decode(bank.code(charge({ calendario: calendar })));

  expect(answer).toMatchObject(isOpen ? asksFor(3700) : invalid('the charge behind the code has expired'));
});

describe('an invalid charge (INVALID_QR_CODE)', () => {
  test.each([
    ['CONCLUIDA', 'the charge behind the code was paid already'],
    ['REMOVIDA_PELO_USUARIO_RECEBEDOR', 'the issuer of the charge behind the code removed it'],
    ['REMOVIDA_PELO_PSP', 'the issuer of the charge behind the code removed it'],
    ['EM_PROCESSAMENTO', 'the charge behind the code is not open for payment'],
  ])('in status %s is refused: %s', async (status, message) => {
    expect(await decoder.decode(bank.code(charge({ status })))).toMatchObject(invalid(message));
  });

  test.each([
    [{ txid: undefined }],
    [{ txid: 'with blanks' }],
    [{ status: undefined }],
    [{ chave: '' }],
    [{ calendario: undefined }],
    [{ calendario: { criacao: 'yesterday' } }],
    [{ calendario: { criacao: minutesAgo(1), expiracao: 'long' } }],
    [{ calendario: { criacao: minutesAgo(1), expiracao: -1 } }],
    [{ calendario: { dataDeVencimento: '20/12/2026' } }],
    [{ calendario: { dataDeVencimento: '2026-12-20', validadeAposVencimento: 9_999_999_999 } }],
    [{ valor: undefined }],
    [{ valor: '37.00' }],
  ])('with %j is refused', async (changes) => {
    expect(await decoder.decode(bank.code(charge(changes)))).toMatchObject(
      invalid('the charge behind the code is unreadable'),
    );
  });

  test.each([[[]], ['text'], [null], [{ idRec: 'RR1' }], [{}]])('as %j is refused', async (payload) => {
    expect(await decoder.decode(bank.code(payload))).toMatchObject(
      invalid('the charge behind the code is unreadable'),
    );
  });

  test('with an invalid key is refused', async () => {
    expect(await decoder.decode(bank.code(charge({ chave: '123' })))).toMatchObject(
      invalid('the key in the code is not a Pix key'),
    );
  });
});

describe('an unreachable charge (QR_CODE_UNRESOLVABLE)', () => {
  test.each([
    [{ status: 404 }, 'the bank behind the code has no such charge: it was paid, removed or has expired'],
    [{ status: 410 }, 'the bank behind the code has no such charge: it was paid, removed or has expired'],
    [{ status: 503 }, 'the bank behind the code does not give the charge'],
    [{ status: 302 }, 'the bank behind the code does not give the charge'],
    [{ isCut: true }, 'the bank behind the code answers more than a charge can be'],
  ])('is refused when the bank answers %j', async (answer, message) => {
    expect(await decoder.decode(serveJws(bank.web, { body: 'x', ...answer }))).toMatchObject({
      status: 422,
      error: { code: 'QR_CODE_UNRESOLVABLE', message },
    });
  });

  test.each([{ status: 404 }, { status: 500 }, { isCut: true }])(
    'is refused when the bank’s keys answer %j',
    async (answer) => {
      const keyless = createFakeBank();
      keyless.web.serve(KEYS_URL, answer);
      const own = await startDecoder({ guarded: keyless.web });

      const { error } = await own.decode(keyless.code());
      await own.stop();

      const message = 'the bank behind the code does not give its keys';
      expect(error).toMatchObject({ code: 'QR_CODE_UNRESOLVABLE', message });
    },
  );
});

describe('a charge with a due date', () => {
  const due = (changes: object = {}) =>
    charge({
      calendario: { criacao: minutesAgo(9_999), dataDeVencimento: '2026-11-18', validadeAposVencimento: 1 },
      valor: { original: '123.45', multa: '15.00', juros: '2.00', final: '140,45' },
      recebedor: { cnpj: '58900633120711', nome: 'Empresa de Abastecimento SA' },
      ...changes,
    });
  const until = async (now: string, calendar: object) => {
    const own = await startDecoder({ guarded: bank.web, clock: () => new Date(now) });
    const { status } = await own.decode(bank.code(due({ calendario: calendar })));
    await own.stop();
    return status;
  };

  test('asks for its final amount', async () => {
    const calendar = { dataDeVencimento: '2026-12-01', validadeAposVencimento: '30' };

    expect(await decoder.decode(bank.code(due({ calendario: calendar })))).toMatchObject(asksFor(14045));
  });

  test('without a final amount asks for the original one', async () => {
    const calendar = { dataDeVencimento: '2026-12-01' };
    const code = bank.code(due({ calendario: calendar, valor: { original: '123.45' } }));

    expect(await decoder.decode(code)).toMatchObject(asksFor(12345));
  });

  test('expires when its days are over', async () => {
    expect(await decoder.decode(bank.code(due()))).toMatchObject(
      invalid('the charge behind the code has expired'),
    );
  });

  // The cases are the examples of API Pix 2.9.0 and days on which banks are closed. Days end at midnight in
  // Brasília.
  test.each([
    ['2020-10-20', 4, '2020-10-26'],
    ['2020-12-25', 0, '2020-12-28'],
    ['2020-12-25', 1, '2020-12-29'],
    ['2020-12-25', 3, '2020-12-31'],
    ['2020-12-25', 4, '2021-01-04'],
    ['2021-08-27', 5, '2021-09-01'],
    ['2021-08-28', 5, '2021-09-06'],
    ['2026-02-14', 0, '2026-02-18'],
    ['2026-04-03', 0, '2026-04-06'],
    ['2026-06-04', 0, '2026-06-05'],
    ['2026-11-20', 0, '2026-11-23'],
    ['2026-10-14', undefined, '2026-11-13'],
  ])('due on %s plus %s days is valid until the end of %s', async (dataDeVencimento, days, last) => {
    const calendar = { dataDeVencimento, validadeAposVencimento: days };
    const midnight = new Date(`${last}T23:59:59.999-03:00`).getTime();

    expect(await until(new Date(midnight).toISOString(), calendar)).toBe(200);
    expect(await until(new Date(midnight + 1).toISOString(), calendar)).toBe(422);
  });
});
