import { isUuid } from '@plataforma/kernel';
import type { Request, Response } from 'express';
import { cookieName, readCookie } from './read-cookie.ts';

const NAME = 'visits';
/** Of release 0.6.0, for the path of one link. */
const OLDER_NAME = 'visit';
const MOST_LINKS = 8;
const LIFE_MS = 30 * 24 * 3_600_000;

/** The visit that this browser began at a link: only its cookie leads back, because others may guess a document. */
export function begunVisit(req: Request, slug: string, isSecure: boolean): string | null {
  const [, id = readCookie(req, OLDER_NAME) ?? ''] =
    visitsIn(req, isSecure).find(([at]) => at === slug) ?? [];
  return isUuid(id) ? id : null;
}

/** Keeps the visits of the newest links alone, because browsers send them all with each request. */
export function keepVisit(
  { req, res }: { req: Request; res: Response },
  { slug, id }: { slug: string; id: string },
  secure: boolean,
): void {
  const others = visitsIn(req, secure).filter(([at]) => at !== slug);
  const visits = [[slug, id], ...others].slice(0, MOST_LINKS);
  const value = visits.map((visit) => visit.join('.')).join('~');
  const options = { path: '/', httpOnly: true, sameSite: 'lax', maxAge: LIFE_MS } as const;
  res.cookie(cookieName(NAME, secure), value, { ...options, secure });
}

function visitsIn(req: Request, isSecure: boolean): string[][] {
  const value = readCookie(req, cookieName(NAME, isSecure)) ?? '';
  return value
    .split('~')
    .map((visit) => visit.split('.'))
    .filter(([slug = '', id = '']) => slug.length === 16 && isUuid(id));
}
