import { resolve } from 'node:path';
import { z } from 'zod';
import { contains, resolveRealPath } from '../../files/real-path.ts';

const requested = z.object({ read: z.array(z.unknown()).optional(), write: z.array(z.unknown()).optional() });

/** Whether a call wants files beyond the workspace. What cannot be understood or found out counts as more. */
export async function asksForMore(args: Readonly<Record<string, unknown>>, roots: readonly string[]): Promise<boolean> {
  const permissions = args['additional_permissions'];
  if (typeof permissions !== 'object' || permissions === null || !('fileSystem' in permissions)) return false;
  const { fileSystem } = permissions;
  if (!fileSystem) return false;
  const parsed = requested.safeParse(fileSystem);
  if (!parsed.success) return true;
  const paths = [...(parsed.data.read ?? []), ...(parsed.data.write ?? [])];
  for (const path of paths) if (!(await isInside(path, roots))) return true;
  return false;
}

async function isInside(path: unknown, roots: readonly string[]): Promise<boolean> {
  const [first] = roots;
  if (typeof path !== 'string' || path.includes('\0') || first === undefined) return false;
  try {
    const real = await resolveRealPath(resolve(first, path));
    const folders = await Promise.all(roots.map((root) => resolveRealPath(root)));
    return folders.some((folder) => contains(folder.path, real.path));
  } catch {
    return false;
  }
}
