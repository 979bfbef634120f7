import { createServer } from 'node:http';
import { expressWebhook } from '@plataforma/sdk/webhooks';

const { WEBHOOK_SECRET = '', PORT = '3000' } = process.env;

const receive = expressWebhook({
  secret: WEBHOOK_SECRET.split(','),
  // For a webhook with `signatureVersion: 'standard'`. The SDK refuses deliveries older than five minutes.
  scheme: 'standard',
  on: {
    'charge.paid': ({ data, eventId, sequence }) => {
      console.log(data.externalId, data.status, eventId, sequence);
    },
    'charge.refunded': ({ data }) => console.log(data.externalId, 'refunded', data.refundedAmount),
  },
});

createServer(receive).listen(Number(PORT), '127.0.0.1');
