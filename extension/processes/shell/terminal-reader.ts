import { readFile, readlink } from 'node:fs/promises';

/** The system call number of read(2), by architecture. */
const READ: Readonly<Partial<Record<NodeJS.Architecture, number>>> = { x64: 0, arm64: 63 };

/** Enough for several nested shells with the program that they run. */
const MAX_LOOKED_AT = 20;

/**
 * Whether a descendant of this process is currently reading from its terminal, as `read`, `sudo` and Python's `input`
 * do. Only Linux provides this, in a few small files. Programs that wait for several things at once, as Node does, are
 * not detected.
 */
export async function readsTerminal(root: number): Promise<boolean> {
  const call = READ[process.arch];
  if (process.platform !== 'linux' || call === undefined) return false;
  const waiting = [root];
  for (let looked = 0; looked < MAX_LOOKED_AT; looked++) {
    const pid = waiting.shift();
    if (pid === undefined) return false;
    const [syscall, children] = await Promise.all([
      readFile(`/proc/${pid}/syscall`, 'utf8').catch(() => ''),
      readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => ''),
    ]);
    const [, fd] = new RegExp(`^${call} 0x([0-9a-f]+) `).exec(syscall) ?? [];
    if (fd !== undefined && (await isTerminal(pid, Number.parseInt(fd, 16)))) return true;
    waiting.push(...children.split(' ').filter(Boolean).map(Number));
  }
  return false;
}

async function isTerminal(pid: number, fd: number): Promise<boolean> {
  const target = await readlink(`/proc/${pid}/fd/${fd}`).catch(() => '');
  return /^\/dev\/(?:pts\/\d+|tty)$/.test(target);
}
