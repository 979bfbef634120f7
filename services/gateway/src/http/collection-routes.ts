import type { SendFile } from '@plataforma/http';
import type { Router } from 'express';
import { LRUCache } from 'lru-cache';

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/;

/** A collection is written once for each address, as it takes milliseconds. */
const MOST_ADDRESSES = 8;

/** Requests that Postman imports, to the address at which they were asked for. */
export function collectionRoutes(router: Router, { sendFile }: { sendFile: SendFile }): void {
  const collections = new LRUCache<string, Buffer>({ max: MOST_ADDRESSES });
  router.get('/collection.json', async (req, res) => {
    // Loaded for who asks for it: the rest does without.
    const { collectionOf } = await import('@plataforma/api-docs/collection');
    res.set('Cache-Control', 'no-store');
    const address = addressOf(req.get('host'));
    const collection = collections.get(address) ?? Buffer.from(JSON.stringify(collectionOf(address)));
    collections.set(address, collection);
    res.set('Content-Type', 'application/json; charset=utf-8');
    await sendFile(req, res, { bytes: collection });
  });
}

/** The contract has HTTPS everywhere; a gateway that was started to try it out serves without. */
function addressOf(host = 'localhost'): string {
  return `${LOOPBACK.test(host) ? 'http' : 'https'}://${host}`;
}
