/** A very small file of each type that the platform accepts as evidence for a dispute. */
export const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n');
export const JPEG = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex');
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);

interface Sent {
  bytes?: Uint8Array<ArrayBuffer>;
  name?: string;
  type?: string;
}

export function evidenceForm(
  disputeId: string,
  { bytes = PDF, name = 'entrega.pdf', type = 'application/pdf' }: Sent = {},
): FormData {
  const form = new FormData();
  form.set('purpose', 'dispute_evidence');
  form.set('disputeId', disputeId);
  form.set('file', new File([bytes], name, { type }));
  return form;
}

/** Returns a copy of a PNG whose header declares a square image with this side. */
export function withPixels(png: Buffer, side: number): Buffer<ArrayBuffer> {
  const copy = Buffer.from(png);
  copy.writeUInt32BE(side, 16);
  copy.writeUInt32BE(side, 20);
  return copy;
}
