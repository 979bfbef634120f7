import { methodsOf } from './methods.ts';
import type { PlataformaOptions } from './options.ts';
import { type Resources, resourcesOf } from './resources.ts';
import { createTransport } from './transport.ts';

/** A client of the platform's API for one API key. */
export class Plataforma implements Resources {
  declare readonly charges: Resources['charges'];
  declare readonly paymentLinks: Resources['paymentLinks'];
  declare readonly refunds: Resources['refunds'];
  declare readonly disputes: Resources['disputes'];
  declare readonly files: Resources['files'];
  declare readonly unexpectedPayments: Resources['unexpectedPayments'];
  declare readonly withdrawals: Resources['withdrawals'];
  declare readonly destinations: Resources['destinations'];
  declare readonly quotes: Resources['quotes'];
  declare readonly wallet: Resources['wallet'];
  declare readonly reports: Resources['reports'];
  declare readonly webhooks: Resources['webhooks'];
  declare readonly deliveries: Resources['deliveries'];
  declare readonly events: Resources['events'];
  declare readonly requests: Resources['requests'];
  /** Calls that exist only in the sandbox: pay, dispute, approve, move the clock, set provider faults. */
  declare readonly sandbox: Resources['sandbox'];

  constructor(options: PlataformaOptions) {
    for (const name of ['apiKey', 'baseUrl'] as const) {
      if (!options[name]) throw new TypeError(`new Plataforma({ ${name} }): ${name} is missing`);
    }
    Object.assign(this, resourcesOf(methodsOf(createTransport(options))));
  }
}
