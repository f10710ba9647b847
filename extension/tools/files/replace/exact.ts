import type { Region } from './region.ts';

export function findExact(text: string, wanted: string, replacement: string): Region[] {
  const regions: Region[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    regions.push({ start: at, end: at + wanted.length, text: replacement });
  }
  return regions;
}
