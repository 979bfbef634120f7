export {
  hasCnpjShape,
  hasCpfShape,
  isCnpj,
  isCpf,
  maskedDocument,
  normaliseDocument,
} from '@plataforma/kernel';
export { normalisePixKey, type PixKeyType, pixKeyTypeOf, possiblePixKeyTypes } from './pix-key.ts';
export { qrImageDataUri } from './qr-image.ts';
export { readCode } from './read.ts';
export type {
  BrCode,
  DynamicCode,
  ReadResult,
  ReadWarning,
  RecurrenceCode,
  StaticCode,
  UnreadableReason,
} from './read-result.ts';
export { type DynamicCodeInput, type StaticCodeInput, writeDynamicCode, writeStaticCode } from './write.ts';
