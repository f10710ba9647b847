import type { Attachment } from '../agent/attachment.ts';

/** Lines count from 1, the last one included. */
export interface LineRange {
  readonly startLine: number;
  readonly endLine: number;
}

/** "auth.ts", "auth.ts:10", "auth.ts:10-20"; of several folders the one it lies in behind that: "auth.ts:10 · api". */
export function fileLabel(path: string, range?: LineRange, folder?: string): string {
  const name = `${baseName(path)}${range ? `:${rangeText(range)}` : ''}`;
  return folder === undefined ? name : `${name} · ${folder}`;
}

export function rangeText({ startLine, endLine }: LineRange): string {
  return startLine === endLine ? String(startLine) : `${startLine}-${endLine}`;
}

/** Those that would read the same get their path in place of the name. */
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
