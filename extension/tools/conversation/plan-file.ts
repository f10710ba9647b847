import { extname, resolve } from 'node:path';
import { contains, resolveRealPath } from '../../files/real-path.ts';
import { openRegularFile, readUpTo } from '../../files/regular-file.ts';
import { decodeText } from '../../files/text-codec.ts';

export type PlanFile = { readonly path: string; readonly text: string } | { readonly problem: string };

/** A plan is for people to read; this is a book. */
export const MAX_PLAN_BYTES = 1024 * 1024;

/** Reads a plan by its name. Where the name really leads decides, not how it is written. */
export async function readPlan(name: string, plansFolder: string): Promise<PlanFile> {
  try {
    return await read(name, plansFolder);
  } catch {
    return { problem: `The plan "${name}" could not be read.` };
  }
}

async function read(name: string, plansFolder: string): Promise<PlanFile> {
  if (name.includes('\0')) return { problem: 'The name of the plan contains a NUL character.' };
  const [folder, plan] = await Promise.all([resolveRealPath(plansFolder), resolveRealPath(resolve(plansFolder, name))]);
  if (!contains(folder.path, plan.path) || folder.path === plan.path) {
    return { problem: `"${name}" is not in the folder for plans, ${plansFolder}. Write the plan there.` };
  }
  if (extname(plan.path).toLowerCase() !== '.md') return { problem: `"${name}" is not a Markdown file (.md).` };
  const missing = `There is no plan "${name}" in ${plansFolder}. Write it first.`;
  if (!plan.exists) return { problem: missing };
  const file = await openRegularFile(plan.path);
  if (!file.opened)
    return { problem: file.reason === 'missing' ? missing : `"${name}" could not be opened as a file.` };
  try {
    const bytes = await readUpTo(file.handle, file.size, MAX_PLAN_BYTES);
    if (!bytes) return { problem: `The plan "${name}" is larger than 1 MB. Make it shorter.` };
    const { text } = decodeText(bytes);
    return text.trim() === '' ? { problem: `The plan "${name}" is empty. Write it first.` } : { path: plan.path, text };
  } finally {
    await file.handle.close();
  }
}
