import { readdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { guardPath } from '../../files/path-guard.ts';
import type { ToolContext } from '../../ports/tool.ts';
import { pathLabel } from '../path-label.ts';
import { hiddenReason } from './tool-path.ts';

/** Gemini CLI looks into as many. */
const MAX_FOLDERS = 50;
const MAX_FOUND = 3;
const SKIPPED = /^(?:\..*|node_modules)$/;

/**
 * Files a relative path may have been meant for, nearest to the roots first. They are only named, never used instead:
 * gates and rules have judged the path that was asked for.
 */
export async function pathsEndingWith(path: string, context: ToolContext): Promise<string[]> {
  const ending = path.replace(/^(?:\.?[\\/])+/, '').replaceAll('\\', '/');
  if (isAbsolute(path) || ending === '' || ending.split('/').includes('..')) return [];
  const found: string[] = [];
  const folders = [...context.workspace.roots()];
  for (let looked = 0; looked < MAX_FOLDERS && found.length < MAX_FOUND; looked++) {
    const folder = folders.shift();
    if (folder === undefined || context.signal.aborted) break;
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const full = join(folder, entry.name);
      if (entry.isDirectory() && !SKIPPED.test(entry.name)) folders.push(full);
      if (!entry.isFile() || !full.replaceAll('\\', '/').endsWith(`/${ending}`)) continue;
      const label = await visibleLabel(full, context);
      if (label !== undefined) found.push(label);
    }
  }
  return found.slice(0, MAX_FOUND);
}

async function visibleLabel(path: string, context: ToolContext): Promise<string | undefined> {
  const roots = context.workspace.roots();
  const guarded = await guardPath(path, roots);
  if (!guarded.allowed) return undefined;
  const label = pathLabel(guarded, roots);
  return (await hiddenReason(guarded, label, context)) === undefined ? label : undefined;
}
