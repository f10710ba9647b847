import { ProblemError } from '../../protocol/agent/problem.ts';

/** File names are rarely longer. Leaves room for an ending. */
const LONGEST_NAME = 100;

/** Reduces the name of pasted content to a safe file name. */
export function fileNameOf(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? '';
  const plain = last
    .replace(/[\p{C}<>:"|?*]/gu, '')
    .replace(/^\.+/, '')
    .slice(-LONGEST_NAME)
    .trim();
  return plain === '' ? 'pasted' : plain;
}

/** Returns undefined for data that is not text: it is not UTF-8, or contains a NUL character. */
export function textIn(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Whether an address is an image that the panel made: a data URL of one of these types and nothing else. */
export function isPicture(address: string | undefined): address is string {
  return address !== undefined && /^data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+=*$/.test(address);
}

export function notAttached(title: string, detail: string): ProblemError {
  return new ProblemError({ kind: 'bad-input', title, detail, actions: [] });
}

/** The path of a file that was dragged within VS Code. On a remote machine, the address contains that machine. */
export function droppedPath(address: string, isRemote: boolean): { readonly path: string } | undefined {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return undefined;
  }
  if (url.protocol !== 'file:' && !(isRemote && url.protocol === 'vscode-remote:')) return undefined;
  try {
    return { path: decodeURIComponent(url.pathname) };
  } catch {
    return undefined;
  }
}
