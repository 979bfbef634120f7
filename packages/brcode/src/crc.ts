const POLYNOMIAL = 0x1021;

/**
 * Returns CRC-16/CCITT-FALSE as four upper-case hex digits: polynomial 0x1021, initial value 0xFFFF, not
 * reflected, no final xor. The checksum of a BR Code covers all text before it, including the checksum's own
 * tag and length `6304` (MPI 2.10.0, footnote 28).
 */
export function crc16(bytes: Uint8Array): string {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = crc & 0x8000 ? ((crc << 1) ^ POLYNOMIAL) & 0xffff : crc << 1;
    }
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}
