import { isAscii } from 'node:buffer';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { isPrivate, makePrivateFolder } from './private-folder.ts';

/** Files that were written longer ago belong to a version that is probably no longer used. */
const KEPT_MILLISECONDS = 30 * 24 * 60 * 60 * 1000;

/**
 * Keeps the compiled code of bundles for the next start, because compiling the runtime would take a third of the time
 * to the first request. Node's own cache exists only since Node 22 and is one for the whole process, which in VS Code
 * has other extensions too.
 *
 * V8 trusts what it is given, so only the user may be able to write it: the folder and the files belong to the user, no
 * other user has access, and links are not followed. (Somebody who can write there could also approve hooks.) A file is
 * found by the content of the bundle and the version of V8, and is ignored if it is damaged. Whatever is wrong with it,
 * the bundle is then compiled as usual.
 */
export class CompiledCode {
  /** What had to be compiled, by the path of the bundle. */
  private readonly fresh = new Map<string, { readonly name: string; readonly script: Script }>();
  private readonly loaded = new Map<string, unknown>();

  /** Without a folder, nothing is kept. `onFresh` is called with the path of each bundle that had to be compiled. */
  constructor(
    private readonly folder: string | undefined,
    private readonly onFresh: (path: string) => void = () => undefined,
  ) {}

  /** Loads a CommonJS bundle, and with it those that it loads. Throws if it can't be read. */
  load(path: string): unknown {
    const known = this.loaded.get(path);
    if (known !== undefined) return known;
    const bytes = readFileSync(path);
    const name = `${basename(path)}-${bytes.length}-${checksum(bytes).toString('hex')}-${PLATFORM}`;
    const cachedData = this.read(name);
    const script = new Script(`${BEGIN}${textOf(bytes)}${END}`, { filename: path, cachedData });
    if (!cachedData || script.cachedDataRejected === true) {
      this.fresh.set(path, { name, script });
      this.onFresh(path);
    }
    const require = createRequire(path);
    const load = (id: string): unknown => (id.startsWith('.') ? this.load(join(dirname(path), id)) : require(id));
    const module = { exports: {} };
    const run: (...args: readonly unknown[]) => void = script.runInThisContext();
    run(module.exports, load, module, path, dirname(path));
    this.loaded.set(path, module.exports);
    return module.exports;
  }

  /**
   * Saves what had to be compiled of this bundle, or of all, including the functions that were used since. Best when it
   * has what the next start needs, and soon after that, because V8 drops functions that are no longer used. Never throws:
   * without it, the next start is only slower.
   */
  save(path?: string): void {
    const { folder } = this;
    const fresh =
      path === undefined ? [...this.fresh.values()] : [this.fresh.get(path)].filter((one) => one !== undefined);
    try {
      if (fresh.length === 0 || folder === undefined || !makePrivateFolder(folder)) return;
      for (const { name, script } of fresh) write(join(folder, name), script.createCachedData());
      removeOld(folder);
    } catch {
      // A full disk, or a home folder that can't be written.
    } finally {
      if (path === undefined) this.fresh.clear();
      else this.fresh.delete(path);
    }
  }

  private read(name: string): Buffer | undefined {
    const { folder } = this;
    try {
      return folder !== undefined && makePrivateFolder(folder) ? readVerified(join(folder, name)) : undefined;
    } catch {
      return undefined;
    }
  }
}

function removeOld(folder: string): void {
  for (const file of readdirSync(folder).map((name) => join(folder, name))) {
    if (lstatSync(file).mtimeMs < Date.now() - KEPT_MILLISECONDS) rmSync(file, { force: true });
  }
}

/** Home folders may be shared by machines. V8 itself rejects code that was compiled with other flags. */
const PLATFORM = `${process.platform}-${process.arch}-${process.versions.v8}`;

/** On one line with the bundle, so that positions in stack traces are nearly those of the file, as in Node. */
const BEGIN = '(function (exports, require, module, __filename, __dirname) {';
const END = '\n})';

/** Decoding one byte per character takes half as long as finding out that it could have been done. */
function textOf(bytes: Buffer): string {
  return isAscii(bytes) ? bytes.toString('latin1') : bytes.toString();
}

/** Tells versions apart and finds damage, not forgeries, so it need only be fast: SHA-1 would take three times as long. */
function checksum(bytes: Uint8Array): Buffer {
  const sum = Buffer.alloc(CHECKSUM_BYTES);
  sum.writeUInt32BE(crc32(bytes));
  return sum;
}

const CHECKSUM_BYTES = 4;

function readVerified(file: string): Buffer | undefined {
  const handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile() || !isPrivate(stats, file)) return undefined;
    const bytes = readFileSync(handle);
    const data = bytes.subarray(CHECKSUM_BYTES);
    return checksum(data).equals(bytes.subarray(0, CHECKSUM_BYTES)) ? data : undefined;
  } finally {
    closeSync(handle);
  }
}

/** Other processes may write the same file, so nobody must see half of it. */
function write(file: string, data: Buffer): void {
  const draft = `${file}.${process.pid}-${Date.now()}.tmp`;
  try {
    writeFileSync(draft, Buffer.concat([checksum(data), data]), { flag: 'wx', mode: 0o600 });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
