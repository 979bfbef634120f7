import { expect, test } from '@jest/globals';
import { browserNameOf } from '../pages/dashboard/settings/browser-name.ts';

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko)';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const LINUX = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)';
const PHONE = 'Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  [`${MAC} Chrome/140.0.0.0 Safari/537.36`, 'Chrome', 'macOS'],
  [`${LINUX} HeadlessChrome/140.0.0.0 Safari/537.36`, 'Chrome', 'Linux'],
  [`${LINUX} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, 'Edge', 'Linux'],
  [`${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`, 'Safari', 'iOS'],
  [`${IPHONE} CriOS/140.0.0.0 Mobile/15E148 Safari/604.1`, 'Chrome', 'iOS'],
  [`${IPHONE} EdgiOS/140.0.0.0 Version/18.0 Mobile/15E148 Safari/604.1`, 'Edge', 'iOS'],
  [`${IPHONE} OPT/5.6.0 Mobile/15E148 Safari/604.1`, 'Opera', 'iOS'],
  [`${PHONE} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`, 'Samsung Internet', 'Android'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox', 'Linux'],
  ['curl/8.5.0', 'curl/8.5.0', undefined],
])('the browser of %s is %s', (userAgent, browser, system) => {
  expect(browserNameOf(userAgent)).toEqual({ browser, ...(system !== undefined && { system }) });
});
