import type { SendFile } from '@plataforma/http';
import type { Router } from 'express';
import { LRUCache } from 'lru-cache';

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/;

/** The number of addresses whose collection is cached, because building a collection takes milliseconds. */
const MOST_ADDRESSES = 8;

/** Serves a Postman collection. Its requests go to the address from which the collection was downloaded. */
export function collectionRoutes(router: Router, { sendFile }: { sendFile: SendFile }): void {
  const collections = new LRUCache<string, Buffer>({ max: MOST_ADDRESSES });
  router.get('/collection.json', async (req, res) => {
    // The module is loaded on demand, because most processes never serve a collection.
    const { collectionOf } = await import('@plataforma/api-docs/collection');
    res.set('Cache-Control', 'no-store');
    const address = addressOf(req.get('host'));
    const collection = collections.get(address) ?? Buffer.from(JSON.stringify(collectionOf(address)));
    collections.set(address, collection);
    res.set('Content-Type', 'application/json; charset=utf-8');
    await sendFile(req, res, { bytes: collection });
  });
}

/**
 * Returns the base URL of the gateway. It begins with `https`, except for a gateway on the caller's own
 * computer.
 */
function addressOf(host = 'localhost'): string {
  return `${LOOPBACK.test(host) ? 'http' : 'https'}://${host}`;
}
