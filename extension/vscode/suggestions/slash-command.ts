import type { Problem } from '../../protocol/agent/problem.ts';
import type { BuiltIn, Command } from '../names.ts';
import type { Words } from '../session/panel-payloads.ts';

/** What became of a command; undefined when there is nothing to say. */
export type SlashOutcome =
  /** Nothing was done, and this is why. The words stay in the input. */
  | { readonly refused: Problem }
  /** Something to read. */
  | { readonly notice: SlashNotice }
  /** These words go to the model. */
  | { readonly say: Words }
  | undefined;

/** Something to read, and where it leads. */
export interface SlashNotice {
  readonly title: string;
  readonly rows: readonly NoticeRow[];
  readonly actions?: readonly { readonly label: string; readonly command: Command | typeof BuiltIn.manageTrust }[];
}

export interface NoticeRow {
  readonly name: string;
  readonly value: string;
  /** Opened by its name. */
  readonly file?: FilePlace;
}

export interface FilePlace {
  /** Absolute. */
  readonly path: string;
  /** Counted from 1. */
  readonly line?: number;
}

export interface SlashCommand {
  /** Without the slash. */
  readonly name: string;
  readonly aliases?: readonly string[];
  /** What may be written after it, such as "[name]". Absent for one that takes nothing. */
  readonly hint?: string;
  readonly description: string;
  /** Also while the agent is at work. */
  readonly whileRunning?: boolean;
  /** Not in a folder that is not trusted. */
  readonly needsTrust?: boolean;
  /** Of what may be written after it. */
  values?(): readonly SlashValue[];
  run(argument: string): Promise<SlashOutcome> | SlashOutcome;
}

export interface SlashValue {
  readonly value: string;
  readonly detail: string;
}

/** Where commands come from. Files of the user and servers add sources of their own to the list in `input-features.ts`. */
export interface SlashSource {
  /** Before the name of a command that another source has already: "workspace" makes `/workspace.review` of it. */
  readonly prefix: string;
  commands(): readonly SlashCommand[];
  /** Looks for what there is now: when the list is opened, and before one is run. */
  refresh?(): Promise<void>;
}

export interface TypedCommand {
  readonly name: string;
  readonly argument: string;
}

/** Undefined for text that merely begins with a slash, such as a path. */
export function parseSlashCommand(text: string): TypedCommand | undefined {
  const [, name, argument = ''] = /^\/([\w.:-]*)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
  return name === undefined ? undefined : { name, argument: argument.trim() };
}

export function refusal(title: string, detail: string): SlashOutcome {
  return { refused: { kind: 'bad-input', title, detail, actions: [] } };
}
