import type { Router } from 'express';
import { languageOf } from '../checkout/language.ts';
import type { WebDependencies } from '../dependencies.ts';
import { downloadsPage, downloadsPolicy } from './page.ts';

/** Serves the packages and the page with their install commands. */
export function downloadRoutes(router: Router, { config, downloads, sendFile }: WebDependencies): void {
  const { tarballs, checksums, font } = downloads;
  const policy = downloadsPolicy(font);
  const address = new URL('/downloads/', config.PUBLIC_URL).href;

  router.get('/downloads{/}', (req, res) => {
    if (!req.path.endsWith('/')) return res.redirect(308, '/downloads/');
    const page = downloadsPage({
      ...{ language: languageOf(req), address, tarballs, checksums: checksums.name },
      font,
      hasDocs: config.PUBLIC_API_URL !== undefined,
    });
    res.set({ 'Cache-Control': 'no-cache', 'Content-Security-Policy': policy });
    return res.vary('Accept-Language').type('text/html').send(page);
  });

  router.get(`/downloads/${checksums.name}`, (_req, res) => {
    res.set('Cache-Control', 'no-cache').type('text/plain').send(checksums.bytes);
  });

  router.get('/downloads/:name', async (req, res, next) => {
    const tarball = tarballs.find(({ name }) => name === req.params.name);
    if (!tarball) return next();
    // Browsers must revalidate, because a package of the same version may be built again with other content.
    const headers = { 'Cache-Control': 'no-cache', ETag: `"${tarball.sha256}"` };
    await sendFile(req, res.type('application/gzip'), { bytes: tarball.bytes, headers });
  });
}
