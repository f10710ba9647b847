import { isQualified, isShellTool } from '../rules/known-tools.ts';
import type { DecidedLine } from './read-audit.ts';

/** The beginning of commands, with how often somebody was asked about them. */
export interface AskedCommands {
  readonly prefix: string;
  readonly count: number;
  /** The last time, in milliseconds. */
  readonly last: number;
}

/** More are too many to choose from, and a long log must not take much memory. */
const MAX_PREFIXES = 500;
const MAX_TOOLS = 500;

/** What calls of the last weeks were about, so that somebody who writes a rule for them can choose. */
export class RecentCalls {
  private readonly asked = new Map<string, AskedCommands>();
  private readonly tools = new Set<string>();

  add({ at, tool, decision, args }: Pick<DecidedLine, 'at' | 'tool' | 'decision' | 'args'>): void {
    if (isQualified(tool) && this.tools.size < MAX_TOOLS) this.tools.add(tool);
    if (!isShellTool(tool) || decision !== 'ask_user') return;
    for (const prefix of prefixesOf(args.command ?? '')) {
      const known = this.asked.get(prefix);
      if (!known && this.asked.size >= MAX_PREFIXES) continue;
      this.asked.set(prefix, { prefix, count: (known?.count ?? 0) + 1, last: Math.max(known?.last ?? at, at) });
    }
  }

  /** The tools of MCP servers that were called, by their names in rules. */
  get serverTools(): ReadonlySet<string> {
    return this.tools;
  }

  /** The beginnings of commands that required approval, those asked about most often first. */
  commands(): readonly AskedCommands[] {
    return [...this.asked.values()].sort((one, other) => other.count - one.count || other.last - one.last);
  }
}

/** Quotes, variables and substitutions: what such a line runs takes a parser to tell. */
const NOT_PLAIN = /["'`$\\(){}<>\n*?[\]#~]/;
const SEPARATOR = /&&|\|\|?|;|&/;
const PROGRAM = /^[\w./@+-]+$/;
/** A word that can be a subcommand. A file mostly has a dot or a slash. */
const SUBCOMMAND = /^[a-z][a-z0-9_:-]*$/;
/** The word after these says what is done. */
const PASSES_ON = new Set(['run', 'exec', 'compose', 'stash', 'remote']);

/** The program with its subcommand, for each command of a plain line: `npm run lint` of `npm run lint -- --fix`. */
function prefixesOf(line: string): readonly string[] {
  if (NOT_PLAIN.test(line)) return [];
  const prefixes = line.split(SEPARATOR).flatMap((command) => {
    const [program = '', ...words] = command.trim().split(/\s+/);
    if (!PROGRAM.test(program)) return [];
    const [first = '', second = ''] = words;
    if (!SUBCOMMAND.test(first)) return program;
    return PASSES_ON.has(first) && SUBCOMMAND.test(second) ? `${program} ${first} ${second}` : `${program} ${first}`;
  });
  return [...new Set(prefixes)];
}
