import { isUuid } from '@plataforma/kernel';
import type { Request, Response } from 'express';
import { cookieName, readCookie } from './read-cookie.ts';

/**
 * Both cookies contain one id for each link. `visits` contains the ids of the visits that this browser began.
 * `buyers` contains the merchant's tokens for the buyer.
 */
type Name = 'visits' | 'buyers';

/** The cookie that release 0.6.0 sets for the path of one link. */
const OLDER_NAME = 'visit';
const MOST_LINKS = 8;
const LIFE_MS = 30 * 24 * 3_600_000;

/**
 * Returns the visit that this browser began at a link. The cookie is the proof; the buyer's document number
 * would not be, because other people may guess it.
 */
export function begunVisit(req: Request, slug: string, isSecure: boolean): string | null {
  const id = idAt(req, slug, { name: 'visits', isSecure }) ?? readCookie(req, OLDER_NAME) ?? '';
  return isUuid(id) ? id : null;
}

/**
 * Returns the buyer's token that the merchant put in the link's address. The cookie keeps the token out of
 * the addresses of later pages.
 */
export function buyerTokenAt(req: Request, slug: string, isSecure: boolean): { buyerToken?: string } {
  const buyerToken = idAt(req, slug, { name: 'buyers', isSecure });
  return buyerToken === undefined ? {} : { buyerToken };
}

/**
 * Stores an id for a link in the cookie. The cookie contains only the newest links, because browsers send the
 * whole cookie with each request.
 */
export function keepAtLink(
  { req, res }: { req: Request; res: Response },
  { name, slug, id }: { name: Name; slug: string; id: string },
  isSecure: boolean,
): void {
  const others = idsIn(req, { name, isSecure }).filter(([at]) => at !== slug);
  const ids = [[slug, id], ...others].slice(0, MOST_LINKS);
  const value = ids.map((each) => each.join('.')).join('~');
  const options = { path: '/', httpOnly: true, sameSite: 'lax', maxAge: LIFE_MS } as const;
  res.cookie(cookieName(name, isSecure), value, { ...options, secure: isSecure });
}

interface Cookie {
  name: Name;
  isSecure: boolean;
}

function idAt(req: Request, slug: string, cookie: Cookie): string | undefined {
  return idsIn(req, cookie).find(([at]) => at === slug)?.[1];
}

function idsIn(req: Request, { name, isSecure }: Cookie): string[][] {
  const value = readCookie(req, cookieName(name, isSecure)) ?? '';
  return value
    .split('~')
    .map((each) => each.split('.'))
    .filter(([slug = '', id = '']) => slug.length === 16 && isUuid(id));
}
