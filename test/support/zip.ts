import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  /** The file mode as in a file system. */
  readonly mode: number;
  read(): Buffer;
}

/**
 * The files of a ZIP archive, from the directory at its end:
 * https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
export function readZip(path: string): readonly ZipEntry[] {
  const zip = readFileSync(path);
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const entries: ZipEntry[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const size = zip.readUInt32LE(at + 20);
    const nameLength = zip.readUInt16LE(at + 28);
    const header = zip.readUInt32LE(at + 42);
    entries.push({
      name: zip.toString('utf8', at + 46, at + 46 + nameLength),
      mode: zip.readUInt32LE(at + 38) >>> 16,
      read: () => {
        const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
        const data = zip.subarray(start, start + size);
        return zip.readUInt16LE(header + 8) === 0 ? data : inflateRawSync(data);
      },
    });
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return entries;
}
