/** 5 → "5 s", 65 → "1 min 5 s" */
export function formatSeconds(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const rest = whole % 60;
  return rest === 0 ? `${whole / 60} min` : `${Math.floor(whole / 60)} min ${rest} s`;
}

/** 340 → "0.3 s", 6200 → "6.2 s", 65000 → "1 min 5 s" */
export function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  return seconds < 9.95 ? `${seconds.toFixed(1)} s` : formatSeconds(seconds);
}

/** 34 → "0:34", 3661 → "1:01:01" */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value: number): string => String(value).padStart(2, '0');
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}:${two(whole % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "now", "5 min ago", "2 h ago", "3 days ago", "12 Nov", "12 Nov 2024" */
export function formatAgo(time: number, now: number): string {
  const ago = now - time;
  if (ago < MINUTE) return 'now';
  if (ago < HOUR) return `${Math.floor(ago / MINUTE)} min ago`;
  if (ago < DAY) return `${Math.floor(ago / HOUR)} h ago`;
  if (ago < 2 * DAY) return '1 day ago';
  if (ago < 7 * DAY) return `${Math.floor(ago / DAY)} days ago`;
  const sameYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(sameYear ? {} : { year: 'numeric' }),
  }).format(time);
}

/** "14:03" today, else with its day. */
export function formatTime(at: number, now = Date.now()): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  const day = isToday ? {} : ({ day: 'numeric', month: 'short' } as const);
  return new Intl.DateTimeFormat('en-GB', { ...day, hour: '2-digit', minute: '2-digit' }).format(at);
}
