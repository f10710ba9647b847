import type { Attachment } from '../agent/attachment.ts';

/** Lines are counted from 1. `endLine` is inclusive. */
export interface LineRange {
  readonly startLine: number;
  readonly endLine: number;
}

/** "auth.ts", "auth.ts:10" or "auth.ts:10-20". With several folders, the folder follows: "auth.ts:10 · api". */
export function fileLabel(path: string, range?: LineRange, folder?: string): string {
  const name = `${baseName(path)}${range ? `:${rangeText(range)}` : ''}`;
  return folder === undefined ? name : `${name} · ${folder}`;
}

export function rangeText({ startLine, endLine }: LineRange): string {
  return startLine === endLine ? String(startLine) : `${startLine}-${endLine}`;
}

/** Labels that would be equal show the path instead of the name. */
export function distinctLabels(items: readonly Attachment[]): readonly Attachment[] {
  const count = (label: string): number => items.filter((item) => item.label === label).length;
  return items.map((item) => (count(item.label) > 1 ? { ...item, label: longLabel(item) } : item));
}

function longLabel({ label, path, startLine, endLine }: Attachment): string {
  if (path === undefined) return label;
  if (startLine === undefined || endLine === undefined) return path;
  return `${path}:${rangeText({ startLine, endLine })}`;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
