import type { SendFile } from '@plataforma/http';
import type { Router } from 'express';
import { LRUCache } from 'lru-cache';

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/;

/** The number of addresses whose collection is cached, because writing one takes milliseconds. */
const MOST_ADDRESSES = 8;

/** Serves a collection for Postman, whose requests go to the address at which it was downloaded. */
export function collectionRoutes(router: Router, { sendFile }: { sendFile: SendFile }): void {
  const collections = new LRUCache<string, Buffer>({ max: MOST_ADDRESSES });
  router.get('/collection.json', async (req, res) => {
    // Loaded on demand, because most processes never serve a collection.
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
 * Returns the gateway's address, with HTTPS as the contract requires, except for a gateway on the caller's
 * own computer.
 */
function addressOf(host = 'localhost'): string {
  return `${LOOPBACK.test(host) ? 'http' : 'https'}://${host}`;
}
