import { describe, expect, test } from '@jest/globals';
import { worldOfFile } from '@plataforma/testing/world';
import { createFakeBank } from '../support/qr-bank.ts';
import { asksFor, charge, minutesAgo, NOW } from '../support/qr-charges.ts';
import { startDecoder } from '../support/qr-decoder.ts';
import { invalid } from '../support/qr-signed.ts';

const bank = createFakeBank();
const decoder = worldOfFile(() => startDecoder({ guarded: bank.web, clock: () => NOW }));

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
