import { join } from 'node:path';
import { HookCatalog } from '../../../extension/hooks/hook-catalog.ts';
import { type HookObserver, HookSystem } from '../../../extension/hooks/hook-system.ts';
import type { CommandHook, HookEvent, HookGroup, HookInput } from '../../../extension/hooks/hook-types.ts';
import type { WorkspaceFiles } from '../../support/temp-workspace.ts';

export const NEVER = new AbortController().signal;

export function commandHook(command: string, changes: Partial<CommandHook> = {}): CommandHook {
  return { type: 'command', command, source: 'user', file: '/home/me/.gemini/settings.json', line: 1, ...changes };
}

export function group(event: HookEvent, commands: readonly string[], changes: Partial<HookGroup> = {}): HookGroup {
  return { event, sequential: false, hooks: commands.map((command) => commandHook(command)), ...changes };
}

export function input(event: HookEvent, fields: Readonly<Record<string, unknown>> = {}): HookInput {
  const session = { session_id: 's', transcript_path: '', cwd: '/', timestamp: '2026-01-01T00:00:00.000Z' };
  return { ...session, hook_event_name: event, ...fields };
}

/** A command that prints this as JSON. */
export function prints(output: object, exitCode = 0): string {
  return `cat <<'END'\n${JSON.stringify(output)}\nEND\nexit ${exitCode}`;
}

export function settingsWith(hooks: object, more: object = {}): WorkspaceFiles {
  return { '.gemini/settings.json': JSON.stringify({ hooks, ...more }, undefined, 2) };
}

/** One entry for each event, each with one command. */
export function forEvents(commands: Partial<Record<HookEvent, string>>): object {
  return Object.fromEntries(
    Object.entries(commands).map(([event, command]) => [event, [{ hooks: [{ type: 'command', command }] }]]),
  );
}

export interface Heard extends HookObserver {
  readonly contexts: string[];
  readonly messages: string[];
  readonly failures: string[];
}

export function listener(): Heard {
  const heard = { contexts: [] as string[], messages: [] as string[], failures: [] as string[] };
  return {
    ...heard,
    onContext: ({ event, text }) => heard.contexts.push(`${event}: ${text}`),
    onMessage: ({ event, text }) => heard.messages.push(`${event}: ${text}`),
    onFailure: (text) => heard.failures.push(text),
  };
}

export function systemOf(
  groups: readonly HookGroup[],
  folder: string,
  observer: HookObserver = listener(),
): HookSystem {
  const session = {
    sessionId: 'session-1',
    transcriptPath: join(folder, 'log.jsonl'),
    folder,
    plansFolder: join(folder, 'plans'),
    environment: process.env,
    now: () => Date.parse('2026-01-01T00:00:00.000Z'),
  };
  return new HookSystem({ groups }, session, observer);
}

export interface Places {
  readonly home: string;
  readonly root: string;
  readonly trustFile?: string;
  readonly trusted?: () => boolean;
}

export function catalogOf({ home, root, trustFile, trusted = () => true }: Places): HookCatalog {
  return new HookCatalog({
    workspace: { roots: () => [root], isTrusted: trusted },
    environment: { GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(home, 'system.json') },
    home,
    trustFile,
  });
}

/** The commands that are in force, with their sources. */
export function inForce(catalog: HookCatalog): string[] {
  return catalog.groups.flatMap(({ event, hooks }) =>
    hooks.map((hook) => `${event} ${hook.source} ${hook.type === 'command' ? hook.command : hook.name}`),
  );
}
