import { z } from 'zod';
import { type Definition, endpointsOf, writes } from '../endpoint.ts';
import { cents, pixKeyType } from '../fields.ts';
import { qrCode } from '../forms/qr-code.ts';

const decodedQr = z
  .object({
    pixKey: z.string().meta({ description: 'Without punctuation: good for a withdrawal as it is.' }),
    pixKeyType,
    amount: cents.meta({ description: 'Cents; 0 when the payer chooses.' }),
    merchantName: z
      .string()
      .meta({ description: 'As the code has it: nobody vouches for it.', example: 'Maria da Silva' }),
    merchantCity: z.string().meta({ example: 'Sao Paulo' }),
    txid: z.string().meta({ description: '`***` when a static code has none.' }),
  })
  .meta({ id: 'DecodedQr' });

export const qrCodes = endpointsOf('withdrawals', {
  decodeQr: {
    route: 'POST /v1/withdrawals/decode-qr',
    access: writes('withdrawals:write'),
    summary: 'Read a Pix copy-and-paste code before paying it',
    description:
      'A static code is read as it is. For a dynamic one the charge is fetched from the bank that issued it, and its ' +
      'signature checked against the bank’s keys; one that says of itself that it is paid, removed or expired is ' +
      'INVALID_QR_CODE, one that its bank has no more, as most banks have none that is paid or removed, ' +
      'QR_CODE_UNRESOLVABLE. Pay with ' +
      'POST /v1/withdrawals and the source QR_CODE: that goes by the key and without the txid, so the payee’s charge may ' +
      'not be settled by it. Codes that only offer a recurring Pix, or hand out cash (Pix Saque and Troco), can’t be ' +
      'paid that way and are INVALID_QR_CODE.',
    // A code is written by the payee's bank, in fields without a gap: its digits run into each other, and a tenth of
    // such numbers would pass for a card's. It is neither kept nor logged.
    fromProvider: true,
    body: qrCode,
    examples: [
      {
        summary: 'A static code',
        body: {
          brCode:
            '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913' +
            'Fulano de Tal6008BRASILIA62070503***63041D3D',
        },
      },
    ],
    data: decodedQr,
    errors: ['INVALID_QR_CODE', 'QR_CODE_UNRESOLVABLE'],
  },
} as const satisfies Record<string, Definition>);
