const ELF: Readonly<Record<number, string>> = { 62: 'linux-x64', 183: 'linux-arm64' };
const MACH_O: Readonly<Record<number, string>> = { 16777223: 'darwin-x64', 16777228: 'darwin-arm64' };
const PE: Readonly<Record<number, string>> = { 34404: 'win32-x64', 43620: 'win32-arm64' };

/** The platform of a program or a native module, according to its header; undefined for any other file. */
export function programPlatform(file: Buffer): string | undefined {
  if (file.length < 64) return undefined;
  if (file.readUInt32BE(0) === 0x7f454c46) return ELF[file.readUInt16LE(18)];
  if (file.readUInt32LE(0) === 0xfeedfacf) return MACH_O[file.readUInt32LE(4)];
  if (file.toString('latin1', 0, 2) === 'MZ') return PE[file.readUInt16LE(file.readUInt32LE(60) + 4)];
  return undefined;
}
