import { constants } from 'node:fs';
import { copyFile, link, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { replaceByDraft, syncFolder, writeSynced } from '../../files/durable-files.ts';
import { errorCode } from '../../files/error-code.ts';
import { logLines } from './log-lines.ts';
import type { LogContents } from './read-log.ts';

/**
 * Replaces a damaged log with one without the damaged lines, and returns the path of the damaged one. A log exists
 * under its own name at every moment. Only the holder of the session's lock may call this.
 */
export async function repairLog(path: string, contents: LogContents): Promise<string> {
  const fresh = `${path}.repaired`;
  await rm(fresh, { force: true });
  let kept = '';
  await replaceByDraft(fresh, path, async () => {
    await writeSynced(fresh, soundLines(await readFile(path), contents));
    kept = await keep(path);
  });
  await syncFolder(dirname(path));
  return kept;
}

/** The unchanged text of the valid lines, so that lines of newer versions survive. */
function soundLines(bytes: Buffer, { header }: LogContents): Buffer {
  const rest: Buffer[] = [];
  let found: string | undefined;
  for (const { text, parsed } of logLines(bytes)) {
    if (parsed.kind === 'damaged') continue;
    if (parsed.kind === 'unknown' || parsed.record.type !== 'session') rest.push(Buffer.from(`${text}\n`));
    else found ??= text;
  }
  return Buffer.concat([Buffer.from(`${found ?? JSON.stringify(header)}\n`), ...rest]);
}

async function keep(path: string): Promise<string> {
  for (let count = 1; ; count++) {
    const name = join(dirname(path), `log.damaged-${count}.jsonl`);
    try {
      await linkOrCopy(path, name);
      return name;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
}

async function linkOrCopy(path: string, name: string): Promise<void> {
  try {
    await link(path, name);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw error;
    // Not every file system has hard links.
    await copyFile(path, name, constants.COPYFILE_EXCL);
  }
}
