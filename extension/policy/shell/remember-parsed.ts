import type { ParsedShell, ShellParser } from './shell-types.ts';

/** A command is read when it is judged, when its question is made and when a waiting one is judged again. */
const MAX_KEPT = 50;

/** Keeps what was read last. What could not be read is tried again: that may have been for lack of time. */
export function rememberParsed(parse: (command: string) => ParsedShell): ShellParser {
  const kept = new Map<string, ParsedShell>();
  return {
    parse: (command) => {
      const parsed = kept.get(command) ?? parse(command);
      if (!parsed.parsed) return parsed;
      // Put in again, so that the first is the one not asked about for longest.
      kept.delete(command);
      kept.set(command, parsed);
      const [oldest] = kept.keys();
      if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
      return parsed;
    },
  };
}
