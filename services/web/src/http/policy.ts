/** The path to which browsers send policy reports, on the host of the page. */
export const REPORTS = '/api/policy-reports';

/** Headers of every answer. A page replaces the default policy with its own. */
export const SAFE_HEADERS = new Map([
  ['Content-Security-Policy', policyOf({})],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'same-origin'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
]);

const NO_DEVICES = 'geolocation=(), microphone=(), payment=(), usb=()';
/** The dashboard needs the camera to scan the QR code of a withdrawal's payee. */
export const DASHBOARD_DEVICES = `camera=(self), ${NO_DEVICES}`;

export const CHECKOUT_DEVICES = `camera=(), ${NO_DEVICES}`;

export const DASHBOARD_POLICY = policyOf({
  'script-src': "'self'",
  'style-src': "'self'",
  'font-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'form-action': "'self'",
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'",
});

/** Returns a content security policy that allows only the given sources. */
export function policyOf(directives: Record<string, string>): string {
  const own = Object.entries(directives).map(([name, value]) => `${name} ${value}`);
  const never = ["base-uri 'none'", "frame-ancestors 'none'"];
  return ["default-src 'none'", ...own, ...never, `report-uri ${REPORTS}`].join('; ');
}
