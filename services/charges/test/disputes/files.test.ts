import { describe, expect, test } from '@jest/globals';
import { evidenceForm, JPEG, PDF, PNG, withPixels } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { startCharges } from '../../src/service.ts';
import { createClient } from '../support/client.ts';
import { disputedFiles } from '../support/files.ts';
import { merchantHeader, newTenant, operatorHeader } from '../support/identity.ts';
import { newOperator, sharedRefundWorld } from '../support/refund-world.ts';

const world = worldOfFile(sharedRefundWorld);

const MAX = 2 * 1024 * 1024;
/**
 * The content of a file that fills one piece. Encryption adds 28 bytes, and files are read in pieces of 128
 * KiB.
 */
const PIECE = 128 * 1024 - 28;
const longPdf = (length: number) => Buffer.concat([PDF, Buffer.alloc(length - PDF.length, 'x')]);

describe('an evidence file', () => {
  test('is added, listed, and returned as a safe download', async () => {
    const dispute = await disputedFiles(world);

    const { status, data } = await dispute.add({ bytes: PNG, name: 'Entrega nº 1.png', type: 'text/html' });

    const file = {
      id: expect.any(String),
      purpose: 'dispute_evidence',
      disputeId: dispute.id,
      name: 'Entrega nº 1.png',
      type: 'image/png',
      size: PNG.length,
      createdAt: expect.any(String),
    };
    expect([status, data]).toEqual([201, file]);
    const [listed] = await dispute.listed();
    expect(listed).toEqual(data);
    const id = listed?.id ?? '';
    expect((await world.call(dispute.tenant, `/v1/files/${id}`)).data).toEqual(data);
    const download = await dispute.download(id);
    expect(Object.fromEntries(download.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition':
        `attachment; filename="Entrega n? 1.png"; ` + `filename*=UTF-8''Entrega%20n%C2%BA%201.png`,
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    expect(Buffer.from(await download.arrayBuffer()).equals(PNG)).toBe(true);
  });

  test('is encrypted and cannot replace another file', async () => {
    const dispute = await disputedFiles(world);
    const [one, other] = [await dispute.added(), await dispute.added({ bytes: JPEG })];

    const rows = await world.database.query('SELECT sealed FROM dispute_files WHERE dispute_id = $1', [
      dispute.id,
    ]);
    for (const { sealed } of rows) expect(Buffer.from(String(sealed), 'latin1').includes('PDF')).toBe(false);
    await world.database.query(
      'UPDATE dispute_files SET sealed = (SELECT sealed FROM dispute_files WHERE id = $2) WHERE id = $1',
      [one.id, other.id],
    );
    expect((await dispute.download(one.id)).status).toBe(500);
    expect((await dispute.download(other.id)).status).toBe(200);
  });

  test.each([
    ['a PDF declared as HTML', PDF, 'application/pdf'],
    ['a PNG', PNG, 'image/png'],
    ['a JPEG', JPEG, 'image/jpeg'],
    ['as large as the limit', longPdf(MAX), 'application/pdf'],
    ['exactly one read piece', longPdf(PIECE), 'application/pdf'],
    ['one byte more than two pieces', longPdf(2 * PIECE + 1), 'application/pdf'],
  ])('may be %s', async (_what, bytes, type) => {
    const dispute = await disputedFiles(world);

    const { status, data } = await dispute.add({ bytes, type: 'text/html' });

    expect([status, data]).toMatchObject([201, { type, size: bytes.length }]);
    const [listed] = await dispute.listed();
    const download = await dispute.download(listed?.id ?? '');
    expect(Buffer.from(await download.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test.each([
    ['an HTML page declared as a PDF', Buffer.from('<html>%PDF-1.7</html>'), 415],
    ['a GIF', Buffer.from('GIF89a'), 415],
    ['a PNG with too many pixels', withPixels(PNG, 0x7fff_ffff), 415],
    [
      'a JPEG with too many pixels',
      Buffer.from('ffd8ffe00004000000ffffc2000b083fff3fff01011100ffda', 'hex'),
      415,
    ],
    ['an incomplete signature', PNG.subarray(0, 7), 415],
    ['empty', Buffer.alloc(0), 400],
    ['one byte above the limit', longPdf(MAX + 1), 413],
    ['far above the limit', longPdf(MAX + 64 * 1024), 413],
  ])('is refused when it is %s', async (_what, bytes, expected) => {
    const dispute = await disputedFiles(world);

    const { status } = await dispute.add({ bytes });

    expect(status).toBe(expected);
    expect(await dispute.listed()).toEqual([]);
  });

  test('can be deleted to make room for another', async () => {
    const dispute = await disputedFiles(world);
    const files = [];
    for (const name of ['1.pdf', '2.pdf', '3.pdf', '4.pdf', '5.pdf'])
      files.push(await dispute.added({ name }));

    const sixth = await dispute.add({ name: '6.pdf' });
    const deleted = await dispute.remove(files[1]?.id ?? '');
    const again = await dispute.remove(files[1]?.id ?? '');
    const seventh = await dispute.add({ name: '7.pdf' });

    expect([sixth.status, sixth.error?.code]).toEqual([422, 'FILE_LIMIT_REACHED']);
    expect([deleted.status, again.status, seventh.status]).toEqual([200, 404, 201]);
    expect((await dispute.listed()).map(({ name }) => name)).toEqual([
      '1.pdf',
      '3.pdf',
      '4.pdf',
      '5.pdf',
      '7.pdf',
    ]);
  });

  test('is fixed after sending, the deadline or the resolution', async () => {
    const [sent, late, ended] = [
      await disputedFiles(world),
      await disputedFiles(world),
      await disputedFiles(world),
    ];
    const files = await Promise.all([sent, late, ended].map((one) => one.added()));
    expect((await sent.send()).data).toMatchObject({ status: 'UNDER_REVIEW', files: [files[0]] });
    await world.database.query("UPDATE disputes SET deadline = now() - interval '1 s' WHERE id = $1", [
      late.id,
    ]);
    await world.operate(`/disputes/${ended.id}/resolve`, { outcome: 'MERCHANT', resolution: 'x' });

    for (const [index, dispute] of [sent, late, ended].entries()) {
      const id = files[index]?.id ?? '';
      for (const { status, error } of [await dispute.add({ name: 'x.pdf' }), await dispute.remove(id)]) {
        expect([status, error?.code]).toEqual([409, 'INVALID_STATE']);
      }
      expect(await dispute.listed()).toEqual([files[index]]);
      expect((await dispute.download(id)).status).toBe(200);
    }
  });

  test('cannot join a dispute of another merchant or environment', async () => {
    const dispute = await disputedFiles(world);
    const { merchantId } = dispute.tenant;
    const body = evidenceForm(dispute.id);

    for (const tenant of [newTenant(), { merchantId, environment: 'production' as const }]) {
      const headers = merchantHeader(tenant);
      const { status, error } = await world.client.send('/v1/files', { method: 'POST', headers, body });
      expect([status, error?.code]).toEqual([404, 'NOT_FOUND']);
    }
  });
});

test('an operator reads the files of any merchant', async () => {
  const dispute = await disputedFiles(world);
  const { id, ...file } = await dispute.added();

  expect((await world.operate(`/files/${id}`)).data).toEqual({ id, ...file });
  const headers = { ...operatorHeader(newOperator()), accept: 'application/octet-stream' };
  const download = await fetch(`${world.first.url}/v1/admin/files/${id}`, { headers });
  expect(download.headers.get('content-disposition')).toBe('attachment; filename=entrega.pdf');
  expect(Buffer.from(await download.arrayBuffer()).equals(PDF)).toBe(true);
  expect((await world.operate(`/charges/${await dispute.chargeId()}`)).data).toMatchObject({
    disputes: [{ files: [{ id }] }],
  });
});

test('without a sealing key files are refused and evidence is accepted', async () => {
  const dispute = await disputedFiles(world);
  const { SEALING_KEYS: _none, ...env } = world.env;
  const keyless = await startCharges(env);
  const client = createClient(keyless.url);

  const { status, error } = await dispute.add({}, { at: client });

  expect([status, error?.message]).toEqual([503, 'files are not accepted at present']);
  expect((await dispute.send(client)).status).toBe(200);
  await keyless.stop();
});
