import { request } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { eventually, PDF } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { safeName } from '../../src/disputes/domain/evidence-file.ts';
import { disputedFiles } from '../support/files.ts';
import { merchantHeader, newTenant } from '../support/identity.ts';
import { sharedRefundWorld } from '../support/refund-world.ts';

const world = worldOfFile(sharedRefundWorld);

describe('the name of a file', () => {
  test.each([
    ['Nota fiscal (2ª via) – Zé.PDF', 'Nota fiscal (2ª via) – Zé.pdf'],
    ['../../etc/passwd', 'passwd.pdf'],
    ['C:\\Users\\ze\\nota.pdf', 'nota.pdf'],
    ['/', 'file.pdf'],
    ['', 'file.pdf'],
    ['...', 'file.pdf'],
    ['aux.pdf', 'file-aux.pdf'],
    ['COM1', 'file-COM1.pdf'],
    ['con.txt.pdf', 'file-con.txt.pdf'],
    ['com¹.pdf', 'file-com¹.pdf'],
    ['LPT³.x.pdf', 'file-LPT³.x.pdf'],
    ['CONIN$', 'file-CONIN$.pdf'],
    ['conout$.pdf', 'file-conout$.pdf'],
    ['NUL .pdf', 'file-NUL .pdf'],
    ['nul . txt.pdf', 'file-nul . txt.pdf'],
    ['contrato.pdf', 'contrato.pdf'],
    ['.pdf', 'pdf.pdf'],
    ['page.html', 'page.html.pdf'],
    ['nota.pdf.exe', 'nota.pdf.exe.pdf'],
    ['fatura\u202Efdp.exe', 'faturafdp.exe.pdf'],
    ['a\u0000b\r\nc\u200B\u2028d.pdf', 'ab c d.pdf'],
    ['nota\u3164\u20dd 1\u0301.pdf', 'nota 1́.pdf'],
    ['\u20e3\u034f.pdf', 'pdf.pdf'],
    ['Ze\u0301 👩🏽‍💻.pdf', 'Zé 👩🏽‍💻.pdf'],
    ['a<b>"c"|?*:.pdf', 'a_b__c_____.pdf'],
    ['  nota   1 .pdf', 'nota 1 .pdf'],
    [`${'é'.repeat(300)}.pdf`, `${'é'.repeat(100)}.pdf`],
    [`${'😀'.repeat(300)}.pdf`, `${'😀'.repeat(100)}.pdf`],
  ])('%j becomes %j', (sent, shown) => {
    expect(safeName(sent, 'application/pdf')).toBe(shown);
    expect(safeName(shown, 'application/pdf')).toBe(shown);
  });

  test('is stored without direction marks and folders', async () => {
    const dispute = await disputedFiles(world);

    const { name } = await dispute.added({ name: '..\\..\\fatura\u202Efdp.exe' });

    expect(name).toBe('faturafdp.exe.pdf');
  });

  test('with a card number is refused and stores nothing', async () => {
    const dispute = await disputedFiles(world);

    const { status, error } = await dispute.add({ name: 'cartão 4000 0000 0000 0010.pdf' });

    expect([status, error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(error?.message).toMatch(/^file: holds a card number/);
    expect(await dispute.listed()).toEqual([]);
  });
});

const BOUNDARY = 'limite-0123456789';
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
const part = (about: string, content: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${about}\r\n\r\n${content}\r\n`;
const END = `--${BOUNDARY}--\r\n`;
const purpose = part('name="purpose"', 'dispute_evidence');
const file = part('name="file"; filename="a.pdf"', PDF.toString());

describe('an upload form', () => {
  const send = async (bodyFor: (disputeId: string) => string, type = TYPE) => {
    const dispute = await disputedFiles(world);
    const headers = { ...merchantHeader(dispute.tenant), 'content-type': type };
    const body = bodyFor(part('name="disputeId"', dispute.id));
    const { status, error } = await world.client.send('/v1/files', { method: 'POST', headers, body });
    return { status, message: error?.message, files: await dispute.listed() };
  };

  test('is accepted in common variants and with extra fields', async () => {
    const more = part('name="__proto__"', 'x') + part('name="comment"', 'x');
    const { status, files } = await send((id) => more + file + id + purpose + END);

    expect([status, files]).toMatchObject([201, [{ name: 'a.pdf' }]]);
    expect((await send((id) => file + id + purpose + END, `${TYPE}; charset=utf-8`)).status).toBe(201);
    expect((await send((id) => file + id + purpose + END, TYPE.replace(/=(.*)/, '="$1"'))).status).toBe(201);
  });

  test.each<[string, (id: string) => string, RegExp]>([
    ['nothing', () => END, /^purpose: /],
    ['no purpose', (id) => id + file + END, /^purpose: is required/],
    [
      'an unknown purpose',
      (id) => part('name="purpose"', 'logo') + id + file + END,
      /^purpose: must be one of/,
    ],
    ['no dispute', () => purpose + file + END, /^disputeId: is required/],
    ['no file', (id) => purpose + id + END, /^file: is required/],
    ['a file sent as text', (id) => purpose + id + part('name="file"', 'x') + END, /^file: must be/],
    ['two files', (id) => purpose + id + file + file + END, /^body: /],
    ['a duplicate field', (id) => purpose + purpose + id + file + END, /^body: has a field twice/],
    [
      'a field that is too long',
      (id) => part('name="x"', 'x'.repeat(2_000)) + purpose + id + file + END,
      /^body: /,
    ],
    ['many fields', (id) => part('name="x"', 'x').repeat(1_000) + purpose + id + file + END, /^body: /],
    ['no closing boundary', (id) => purpose + id + file, /^body: is not a well-formed form/],
    ['a truncated file', (id) => purpose + id + file.slice(0, -20), /^body: is not a well-formed form/],
    ['JSON instead of parts', () => '{"purpose":"dispute_evidence"}', /^body: is not a well-formed form/],
    [
      'an endless part header',
      (id) => `${purpose + id}--${BOUNDARY}\r\nContent-Disp${'x'.repeat(90_000)}`,
      /^body: /,
    ],
  ])('with %s is a VALIDATION_ERROR', async (_what, bodyFor, message) => {
    const answer = await send(bodyFor);

    expect(answer).toEqual({ status: 400, message: expect.stringMatching(message), files: [] });
  });

  test.each([
    'application/json',
    'multipart/form-data',
    'multipart/mixed; boundary=x',
    `${TYPE}; boundary=other`,
  ])('with the content type %s is refused with 415', async (type) => {
    expect(await send((id) => purpose + id + file + END, type)).toMatchObject({ status: 415, files: [] });
  });

  test('is refused with 503 during the merchant’s four other uploads', async () => {
    const tenant = newTenant();
    const half = () => {
      const headers = { ...merchantHeader(tenant), 'content-type': TYPE };
      const sent = request(`${world.first.url}/v1/files`, { method: 'POST', headers });
      sent.on('error', () => undefined).write('--');
      return sent;
    };
    const whole = async (by: typeof tenant) => {
      const headers = { ...merchantHeader(by), 'content-type': TYPE };
      const { status } = await world.client.send('/v1/files', { method: 'POST', headers, body: END });
      return status;
    };
    const open = [half(), half(), half(), half()];

    await eventually(async () => expect(await whole(tenant)).toBe(503));
    expect(await whole(newTenant())).toBe(400);
    for (const each of open) each.destroy();

    await eventually(async () => expect(await whole(tenant)).toBe(400));
  });
});
