/**
 * Determined by the first bytes, because names and declared types are not reliable. Supports the types that Gemini
 * models accept.
 */
export function mediaTypeOf(bytes: Uint8Array): string | undefined {
  const ascii = (from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to));
  if (ascii(0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (ascii(0, 3) === '\xff\xd8\xff') return 'image/jpeg';
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return 'image/webp';
  if (ascii(0, 5) === '%PDF-') return 'application/pdf';
  if (ascii(4, 8) !== 'ftyp') return undefined;
  const brand = ascii(8, 12);
  if (['heic', 'heix', 'hevc', 'hevx'].includes(brand)) return 'image/heic';
  return ['mif1', 'msf1', 'heim', 'heis'].includes(brand) ? 'image/heif' : undefined;
}
