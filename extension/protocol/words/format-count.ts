/** 410 → "410", 6200 → "6.2k", 62000 → "62k", 1200000 → "1.2M" */
export function formatCount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_500) return `${shortened(count / 1000)}k`;
  return `${shortened(count / 1_000_000)}M`;
}

function shortened(value: number): string {
  return value < 9.95 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value));
}
