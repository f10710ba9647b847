import { arch, release, type, version } from 'node:os';
import { readSmallFile } from '../../files/regular-file.ts';
import { oneLine } from '../../text/one-line.ts';
import type { EnvironmentFact } from './environment-text.ts';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Reported again only on another day: the time would change the request with every message. */
export function dateFact(now: number): EnvironmentFact {
  const date = new Date(now);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  // Not `Intl`, whose first use takes 25 ms before the first request.
  const [, offset = '', zone = ''] = /(GMT[+-]\d{4}) \((.*)\)$/.exec(date.toString()) ?? [];
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`;
  return {
    text: `Date: ${DAYS[date.getDay()]}, ${day}, ${time} (time zone ${offset}, ${zone})`,
    key: `${day} ${offset}`,
  };
}

/** The operating system on which commands run. `remote` is VS Code's name of the remote connection, if there is one. */
export async function systemFact(remote: string | undefined): Promise<EnvironmentFact> {
  const where = placeOf(remote) ?? (/microsoft/i.test(release()) ? ', in WSL' : '');
  return { text: `Operating system: ${await systemName()}, ${arch()}${where}` };
}

async function systemName(): Promise<string> {
  if (process.platform === 'darwin') return `macOS (Darwin ${release()})`;
  if (process.platform === 'win32') return `${version()} (${release()})`;
  const about = await readSmallFile('/etc/os-release').catch(() => undefined);
  const [, name] = /^PRETTY_NAME="?([^"\n]+)"?$/m.exec(about ?? '') ?? [];
  return `${name === undefined ? '' : `${oneLine(name, 80)}, `}${type()} ${release()}`;
}

function placeOf(remote: string | undefined): string | undefined {
  if (remote === undefined) return undefined;
  if (remote === 'wsl') return ', in WSL';
  if (/container/.test(remote)) return ', in a container';
  if (/^ssh/.test(remote)) return ', on a remote machine (SSH)';
  return remote === 'codespaces' ? ', in GitHub Codespaces' : ', on a remote machine';
}
