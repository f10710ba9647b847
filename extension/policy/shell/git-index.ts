export interface IndexEntry {
  readonly mode: number;
  /** Relative to the root of the repository, each byte as one character (Latin-1). */
  readonly path: string;
}

/** Modes of files, executable files and links. Other modes are submodules, and folders that are not checked out. */
const FILE_MODES: ReadonlySet<number> = new Set([0o100644, 0o100755, 0o120000]);

const HEADER = 12;
const MODE_AT = 24;
const FLAGS_AT = 60;
const NAME_AT = 62;
const HASH = 20;
/** The flag of an entry with two more bytes of flags. */
const EXTENDED = 0x4000;

/**
 * The entries of a git index in format 2 or 3 (gitformat-index(5)). Undefined if the index lists anything but files or
 * can't be read reliably.
 */
export function indexEntries(index: Buffer): readonly IndexEntry[] | undefined {
  if (index.length < HEADER + HASH || index.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = index.readUInt32BE(4);
  if (version !== 2 && version !== 3) return undefined;
  const count = index.readUInt32BE(8);
  const end = index.length - HASH;
  const entries: IndexEntry[] = [];
  let at = HEADER;
  while (entries.length < count) {
    if (at + NAME_AT > end) return undefined;
    const mode = index.readUInt32BE(at + MODE_AT);
    const name = at + NAME_AT + (index.readUInt16BE(at + FLAGS_AT) & EXTENDED ? 2 : 0);
    const nameEnd = index.indexOf(0, name);
    if (!FILE_MODES.has(mode) || nameEnd < 0 || nameEnd > end) return undefined;
    entries.push({ mode, path: index.toString('latin1', name, nameEnd) });
    // Entries are padded with one to eight zeros, so that each starts at a multiple of eight bytes after the first.
    at += (nameEnd - at + 8) & ~7;
  }
  return hasOnlyOptionalExtensions(index, at, end) ? entries : undefined;
}

/** An extension with a lowercase name changes the meaning of the entries: a shared or a sparse index. */
function hasOnlyOptionalExtensions(index: Buffer, start: number, end: number): boolean {
  let at = start;
  while (at + 8 <= end) {
    if (!/^[A-Z]/.test(index.toString('latin1', at, at + 4))) return false;
    at += 8 + index.readUInt32BE(at + 4);
  }
  return at === end;
}
