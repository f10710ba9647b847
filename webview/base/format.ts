import * as l10n from '@vscode/l10n';

/** 5 → "5 s", 65 → "1 min 5 s" */
export function formatSeconds(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return l10n.t('{0} s', whole);
  const rest = whole % 60;
  return rest === 0 ? l10n.t('{0} min', whole / 60) : l10n.t('{0} min {1} s', Math.floor(whole / 60), rest);
}

/** 340 → "0.3 s", 6200 → "6.2 s", 65000 → "1 min 5 s" */
export function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds >= 9.95) return formatSeconds(seconds);
  return l10n.t('{0} s', formatTenths(seconds));
}

/** 6.24 → "6.2" */
export function formatTenths(value: number): string {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return new Intl.NumberFormat(formatLanguage(), digits).format(value);
}

/** 45 → "45%" */
export function formatPercent(percent: number): string {
  return new Intl.NumberFormat(formatLanguage(), { style: 'percent' }).format(percent / 100);
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
  if (ago < MINUTE) return l10n.t('now');
  if (ago < HOUR) return l10n.t('{0} min ago', Math.floor(ago / MINUTE));
  if (ago < DAY) return l10n.t('{0} h ago', Math.floor(ago / HOUR));
  if (ago < 2 * DAY) return l10n.t('1 day ago');
  if (ago < 7 * DAY) return l10n.t('{0} days ago', Math.floor(ago / DAY));
  const sameYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  return new Intl.DateTimeFormat(formatLanguage(), {
    day: 'numeric',
    month: 'short',
    ...(sameYear ? {} : { year: 'numeric' }),
  }).format(time);
}

/** "2 Jan 2026" */
export function formatDate(at: number): string {
  return new Intl.DateTimeFormat(formatLanguage(), { dateStyle: 'medium' }).format(at);
}

/** "2 Jan 2026, 14:03" */
export function formatDateAndTime(at: number): string {
  return new Intl.DateTimeFormat(formatLanguage(), { dateStyle: 'medium', timeStyle: 'short' }).format(at);
}

/** "14:03" today, otherwise with the day. */
export function formatTime(at: number, now = Date.now()): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  const day = isToday ? {} : ({ day: 'numeric', month: 'short' } as const);
  return new Intl.DateTimeFormat(formatLanguage(), { ...day, hour: '2-digit', minute: '2-digit' }).format(at);
}

/** The locale of dates and numbers. English uses en-GB, so that the day comes before the month for every reader. */
function formatLanguage(): string {
  const tag = globalThis.document?.documentElement.lang || 'en';
  return tag === 'en' ? 'en-GB' : tag;
}
