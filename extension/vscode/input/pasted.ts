import { ProblemError } from '../../protocol/agent/problem.ts';

/** As long as names of files get, with room for what follows. */
const LONGEST_NAME = 100;

/** The last part of a name that came with what was pasted, as no more than a name. */
export function fileNameOf(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? '';
  const plain = last
    .replace(/[\p{C}<>:"|?*]/gu, '')
    .replace(/^\.+/, '')
    .slice(-LONGEST_NAME)
    .trim();
  return plain === '' ? 'pasted' : plain;
}

/** Undefined for what is no text: not UTF-8, or with a character that texts do not have. */
export function textIn(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** A picture that the panel made: nothing but bytes of one of these kinds. */
export function isPicture(address: string | undefined): address is string {
  return address !== undefined && /^data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+=*$/.test(address);
}

export function notAttached(title: string, detail: string): ProblemError {
  return new ProblemError({ kind: 'bad-input', title, detail, actions: [] });
}

/** A file of the workspace, as what is dragged in VS Code names it. On a remote machine the address names that machine. */
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
