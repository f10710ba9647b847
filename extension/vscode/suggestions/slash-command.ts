import type { Problem } from '../../protocol/agent/problem.ts';
import type { BuiltIn, Command } from '../names.ts';
import type { Words } from '../session/panel-payloads.ts';

/** The result of a command. Undefined if there is nothing to show. */
export type SlashOutcome =
  /** The command was refused. Its text stays in the input. */
  | { readonly refused: Problem }
  /** A notice to show. */
  | { readonly notice: SlashNotice }
  /** A message for the model. */
  | { readonly say: Words }
  | undefined;

/** A notice with rows and links. */
export interface SlashNotice {
  readonly title: string;
  readonly rows: readonly NoticeRow[];
  readonly actions?: readonly { readonly label: string; readonly command: Command | typeof BuiltIn.manageTrust }[];
}

export interface NoticeRow {
  readonly name: string;
  readonly value: string;
  /** The file that a click on the name opens. */
  readonly file?: FilePlace;
}

export interface FilePlace {
  /** The absolute path. */
  readonly path: string;
  /** The line number, counted from 1. */
  readonly line?: number;
}

export interface SlashCommand {
  /** The name without the slash. */
  readonly name: string;
  readonly aliases?: readonly string[];
  /** The argument, such as "[name]". Absent if the command takes none. */
  readonly hint?: string;
  readonly description: string;
  /** Whether the command is available during a run. */
  readonly whileRunning?: boolean;
  /** Whether the command requires a trusted folder. */
  readonly needsTrust?: boolean;
  /** Suggested values for the argument. */
  values?(): readonly SlashValue[];
  run(argument: string): Promise<SlashOutcome> | SlashOutcome;
}

export interface SlashValue {
  readonly value: string;
  readonly detail: string;
}

/** A source of commands. Add new sources, such as files or servers, to the list in `input-features.ts`. */
export interface SlashSource {
  /** Prefixes a command whose name is taken: "workspace" makes it `/workspace.review`. */
  readonly prefix: string;
  commands(): readonly SlashCommand[];
  /** Looks for the current commands: when the list is opened, and before a command runs. */
  refresh?(): Promise<void>;
}

export interface TypedCommand {
  readonly name: string;
  readonly argument: string;
}

/** Returns undefined for text that only begins with a slash, such as a path. */
export function parseSlashCommand(text: string): TypedCommand | undefined {
  const [, name, argument = ''] = /^\/([\w.:-]*)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
  return name === undefined ? undefined : { name, argument: argument.trim() };
}

export function refusal(title: string, detail: string): SlashOutcome {
  return { refused: { kind: 'bad-input', title, detail, actions: [] } };
}
