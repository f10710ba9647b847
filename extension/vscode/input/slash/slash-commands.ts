import * as l10n from '@vscode/l10n';
import type { Suggestion, SuggestionGroup } from '../../../protocol/panel/input-to-panel.ts';
import { nearestNames } from '../../../text/nearest-names.ts';
import { fuzzyMatch } from '../../suggestions/fuzzy.ts';
import {
  parseSlashCommand,
  refusal,
  type SlashCommand,
  type SlashOutcome,
  type SlashSource,
  type TypedCommand,
} from '../../suggestions/slash-command.ts';

export interface SlashState {
  isRunning(): boolean;
  isTrusted(): boolean;
}

interface Suggested {
  readonly groups: SuggestionGroup[];
  /** The description of the command in the input, once it is typed completely. */
  readonly about?: string;
}

/** All slash commands: finds them by what was typed, and runs them by name. */
export class SlashCommands {
  constructor(
    private readonly sources: readonly SlashSource[],
    private readonly state: SlashState,
  ) {}

  /** Built-in commands come first. On a name conflict, the first command keeps the name. */
  all(): ReadonlyMap<string, SlashCommand> {
    const named = new Map<string, SlashCommand>();
    const aliases = new Set<string>();
    for (const source of this.sources) {
      const commands = source.commands();
      for (const command of commands) named.set(freeName(command.name, source.prefix, named, aliases), command);
      for (const alias of commands.flatMap((command) => command.aliases ?? [])) aliases.add(alias);
    }
    return named;
  }

  /** Refreshes all sources. */
  async refresh(): Promise<void> {
    await Promise.all(this.sources.map((source) => source.refresh?.()));
  }

  /** Suggests commands for the text typed so far, which begins with a slash. */
  suggest(text: string): Suggested {
    const typed = parseSlashCommand(text);
    if (!typed) return { groups: [] };
    if (/\s/.test(text.trimStart())) return this.suggestValues(typed);
    const found = [...this.all()].flatMap(([name, command]) => {
      const match = bestMatch(typed.name, name, command);
      return match ? [{ ...match, name, command }] : [];
    });
    found.sort((left, right) => right.score - left.score || left.name.localeCompare(right.name));
    const items = found.map(({ name, command, marks }) => suggestionOf(name, command, marks));
    return { groups: items.length > 0 ? [{ title: '', items }] : [], ...this.about(typed.name) };
  }

  /** Runs the command in the text of the input. */
  async run(text: string): Promise<SlashOutcome> {
    const typed = parseSlashCommand(text);
    const command = typed && this.find(typed.name);
    if (!typed || !command) return this.unknown(typed?.name ?? '');
    if (this.state.isRunning() && !command.whileRunning) {
      return refusal(
        l10n.t('/{0} is not available now', typed.name),
        l10n.t('Gantry is working. Stop it, or try again when it is done.'),
      );
    }
    if (command.needsTrust && !this.state.isTrusted()) {
      return refusal(
        l10n.t('/{0} needs a trusted folder', typed.name),
        l10n.t('This folder is not trusted, so Gantry only reads.'),
      );
    }
    if (typed.argument !== '' && command.hint === undefined) {
      return refusal(
        l10n.t('/{0} takes no arguments', typed.name),
        l10n.t('Remove the text after it, then send it again.'),
      );
    }
    return command.run(typed.argument);
  }

  private find(name: string): SlashCommand | undefined {
    const all = this.all();
    const wanted = name.toLowerCase();
    const isWanted = ([known, { aliases = [] }]: [string, SlashCommand]): boolean =>
      known.toLowerCase() === wanted || aliases.includes(wanted);
    return all.get(name) ?? [...all].find(isWanted)?.[1];
  }

  private suggestValues({ name, argument }: TypedCommand): Suggested {
    const values = this.find(name)?.values?.() ?? [];
    const items = values.flatMap(({ value, detail }): Suggestion[] => {
      const match = fuzzyMatch(argument, value);
      if (!match || value === argument) return [];
      const insert = `/${name} ${value}`;
      return [{ id: insert, icon: 'command', label: value, marks: [...match.positions], detail, insert }];
    });
    return { groups: items.length > 0 ? [{ title: '', items }] : [], ...this.about(name) };
  }

  private about(name: string): { readonly about?: string } {
    const command = this.find(name);
    if (!command) return {};
    const { description, hint } = command;
    return { about: hint === undefined ? description : `${description} ${hint}` };
  }

  private unknown(name: string): SlashOutcome {
    const near = nearestNames(name, this.all().keys(), 2).map((known) => `/${known}`);
    const help = l10n.t('/help lists all commands. To send it as a message, put a space before it.');
    const detail = near.length > 0 ? `${didYouMean(near)} ${help}` : help;
    return refusal(l10n.t('There is no command /{0}', name), detail);
  }
}

/** Adds the prefix of the source, and a number if the source has several commands of the same name. */
function freeName(
  name: string,
  prefix: string,
  named: ReadonlyMap<string, unknown>,
  aliases: ReadonlySet<string>,
): string {
  if (!named.has(name) && !aliases.has(name)) return name;
  const longer = `${prefix}.${name}`;
  let free = longer;
  for (let count = 2; named.has(free); count++) free = `${longer}${count}`;
  return free;
}

function didYouMean([first = '', second]: readonly string[]): string {
  return second === undefined ? l10n.t('Did you mean {0}?', first) : l10n.t('Did you mean {0} or {1}?', first, second);
}

/** Matches the name, or else an alias. For an alias nothing is marked, because the list shows the name. */
function bestMatch(
  typed: string,
  name: string,
  { aliases = [] }: SlashCommand,
): { readonly score: number; readonly marks: readonly number[] } | undefined {
  const own = fuzzyMatch(typed, name);
  const others = aliases.flatMap((alias) => (alias.startsWith(typed) ? (fuzzyMatch(typed, alias)?.score ?? []) : []));
  if (own) return { score: own.score, marks: own.positions.map((at) => at + 1) };
  return others.length > 0 ? { score: Math.max(...others), marks: [] } : undefined;
}

function suggestionOf(name: string, { hint, description }: SlashCommand, marks: readonly number[]): Suggestion {
  return {
    id: `/${name}`,
    icon: 'command',
    label: `/${name}`,
    // The slash was typed as well, so it is marked.
    marks: marks.length > 0 ? [0, ...marks] : [],
    ...(hint !== undefined && { hint }),
    detail: description,
    insert: hint === undefined ? `/${name}` : `/${name} `,
  };
}
