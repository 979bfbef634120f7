import type { Router } from 'express';

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/;

/** Requests that Postman imports, to the address at which they were asked for. */
export function collectionRoutes(router: Router): void {
  router.get('/collection.json', async (req, res) => {
    // Loaded for who asks for it: the rest does without.
    const { collectionOf } = await import('@plataforma/contracts/collection');
    res.set('Cache-Control', 'no-store');
    res.json(collectionOf(addressOf(req.get('host'))));
  });
}

/** The contract has HTTPS everywhere; a gateway that was started to try it out serves without. */
function addressOf(host = 'localhost'): string {
  return `${LOOPBACK.test(host) ? 'http' : 'https'}://${host}`;
}
