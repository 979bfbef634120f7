import { describe, expect, test } from '@jest/globals';
import { Plataforma } from '../src/index.ts';

const made = (baseUrl: string, allowHttp = false) => new Plataforma({ apiKey: 'k', baseUrl, allowHttp });

describe('an http address', () => {
  test.each([
    ...[
      'http://localhost:8080',
      'http://api.localhost',
      'http://gateway:8080',
      'http://127.0.0.1',
      'http://0x7f.1',
    ],
    ...[
      'http://10.1.2.3',
      'http://192.168.0.9',
      'http://172.31.0.1',
      'http://[::1]:8080',
      'http://[fd00::1]',
    ],
  ])('%s is accepted as local', (baseUrl) => {
    expect(() => made(baseUrl)).not.toThrow();
  });

  test.each([
    ...['http://api.example', 'http://10.example.com', 'http://127.evil.com', 'http://192.168.evil.com'],
    ...[
      'http://172.32.0.1',
      'http://11.0.0.1',
      'http://[fc::1]',
      'http://[2001:db8::1]',
      'http://localhost.evil.com',
    ],
    ...['HTTP://api.example', 'http://localhost@api.example', 'ftp://localhost'],
  ])('%s is refused', (baseUrl) => {
    expect(() => made(baseUrl)).toThrow('in clear');
  });

  test('is accepted with allowHttp, an invalid address never', () => {
    expect(() => made('http://gateway.pay.svc.cluster.local', true)).not.toThrow();
    expect(() => made('https://api.example')).not.toThrow();
    expect(() => made('api.example', true)).toThrow('baseUrl is no address');
  });
});
