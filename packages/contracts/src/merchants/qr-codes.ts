import { z } from 'zod';
import { type Definition, endpointsOf, writes } from '../endpoint.ts';
import { cents, pixKeyType } from '../fields.ts';
import { qrCode } from '../forms/qr-code.ts';

const decodedQr = z
  .object({
    pixKey: z.string().meta({ description: 'Pix key without punctuation, ready for use in a withdrawal.' }),
    pixKeyType,
    amount: cents.meta({ description: 'Amount in cents. 0 if the payer chooses the amount.' }),
    merchantName: z
      .string()
      .meta({ description: 'Value from the code. It is not verified.', example: 'Maria da Silva' }),
    merchantCity: z.string().meta({ example: 'Sao Paulo' }),
    txid: z.string().meta({ description: 'Txid of the code. `***` if a static code has none.' }),
  })
  .meta({ id: 'DecodedQr' });

export const qrCodes = endpointsOf('withdrawals', {
  decodeQr: {
    route: 'POST /v1/withdrawals/decode-qr',
    access: writes('withdrawals:write'),
    summary: 'Read a Pix copy-and-paste code before paying it',
    description:
      'Decodes a static code without a query to a bank. For a dynamic code the platform reads the charge ' +
      'from the issuing bank and verifies its signature with the bank’s keys. A charge that declares ' +
      'itself paid, removed or expired is INVALID_QR_CODE. A charge that its bank no longer has is ' +
      'QR_CODE_UNRESOLVABLE; most banks delete paid and removed charges. Pay with POST /v1/withdrawals ' +
      'and the source QR_CODE. This payment uses the key and has no txid, so the payee’s charge may stay ' +
      'open. Codes that only offer a recurring Pix, or that hand out cash (Pix Saque and Troco), can’t be ' +
      'paid that way and are INVALID_QR_CODE.',
    // The code is not searched for card numbers, because one in ten of its digit sequences would look like a
    // card number. The code is neither stored nor logged.
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
