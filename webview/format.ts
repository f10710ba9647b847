/** 410 → "410", 6200 → "6.2k", 62000 → "62k", 1200000 → "1.2M" */
export function formatCount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_500) return `${shortened(count / 1000)}k`;
  return `${shortened(count / 1_000_000)}M`;
}

function shortened(value: number): string {
  return value < 9.95 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value));
}

/** 5 → "5 s", 65 → "1 min 5 s" */
export function formatSeconds(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const rest = whole % 60;
  return rest === 0 ? `${whole / 60} min` : `${Math.floor(whole / 60)} min ${rest} s`;
}

/** 34 → "0:34", 3661 → "1:01:01" */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value: number): string => String(value).padStart(2, '0');
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}:${two(whole % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`;
}
