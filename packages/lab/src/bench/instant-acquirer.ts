import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

const order = z.object({ code: z.string(), items: z.array(z.object({ amount: z.int() })) });

/** Starts an acquirer with the API of Pagar.me v5. It approves every order instantly and stores none. */
export async function startInstantAcquirer(): Promise<{ url: string; stop(): void }> {
  const server = createServer(async (request, response) => {
    const paid = JSON.stringify(paidOrder(await read(request)));
    response.writeHead(200, { 'content-type': 'application/json' }).end(paid);
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}/core/v5`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function read(request: IncomingMessage) {
  const { code, items } = order.parse(JSON.parse(await text(request)));
  return { code, amount: items[0]?.amount ?? 0 };
}

function paidOrder({ code, amount }: { code: string; amount: number }) {
  const card = { id: 'card_1', brand: 'Visa', first_six_digits: '400000', last_four_digits: '0010' };
  const last_transaction = {
    id: 'tran_1',
    status: 'captured',
    success: true,
    amount,
    acquirer_return_code: '00',
    card,
    gateway_response: { code: '200', errors: [] },
  };
  const reported = { code, amount, status: 'paid' };
  const charge = { id: `ch_${code}`, ...reported, paid_amount: amount, canceled_amount: 0, last_transaction };
  return { id: `or_${code}`, ...reported, charges: [{ ...charge, payment_method: 'credit_card' }] };
}
