import * as l10n from '@vscode/l10n';
import type { PolicyRule } from '../policy/policy-types.ts';
import { SHELL_TOOL } from '../policy/rules/known-tools.ts';
import { patternsOf } from '../policy/rules/read-match.ts';
import { hidesCommands } from '../policy/shell/hidden-commands.ts';
import type { ShellParser } from '../policy/shell/shell-types.ts';
import type { Refusal, Tool } from '../ports/tool.ts';
import { type GeminiSetting, type GeminiSettings, isOff, isOn, namesIn } from './gemini-settings.ts';
import { isAboutTool, readEntry, type ToolEntry } from './tool-entry.ts';

/** Gemini CLI's numbers: 4 is the user's tier. Exclusions apply even if an administrator's rule allows the tool. */
const EXCLUDED = 9;
const CONFIRMED = 4.35;
const ALLOWED = 4.3;
const NOT_ALLOWED = 4.29;

/** Settings that disable tools. */
const SWITCHES: readonly { readonly key: string; readonly tools: readonly string[] }[] = [
  { key: 'useWriteTodos', tools: ['write_todos'] },
  { key: 'experimental.enableAgents', tools: ['invoke_agent'] },
  { key: 'skills.enabled', tools: ['activate_skill'] },
  { key: 'admin.skills.enabled', tools: ['activate_skill'] },
  { key: 'general.plan.enabled', tools: ['enter_plan_mode', 'exit_plan_mode'] },
  { key: 'admin.mcp.enabled', tools: ['mcp_*', 'list_mcp_resources', 'read_mcp_resource'] },
];

/** Ends the work of an agent. Without it, agents that work for another session would never finish. */
const ALWAYS_THERE = 'complete_task';

type Restricted = Pick<Tool, 'name' | 'kind'> & { readonly server?: string | undefined };

interface Named extends ToolEntry {
  readonly by: GeminiSetting;
}

/** An allow-list of tools. */
interface CoreList {
  readonly by: GeminiSetting;
  readonly entries: readonly ToolEntry[];
}

/**
 * The restrictions from Gemini CLI's settings. No rule, mode, hook or approval overrides them. Settings of the user and
 * the system apply by Gemini CLI's precedence; settings of a folder can only restrict further.
 */
export class Restrictions {
  readonly rules: readonly PolicyRule[];
  /** The setting that disables the mode in which everything runs without asking. */
  readonly noYolo: GeminiSetting | undefined;
  /** The setting that permits only "allow once". */
  readonly noAlwaysAllow: GeminiSetting | undefined;
  readonly noPlanMode: GeminiSetting | undefined;
  readonly noServers: GeminiSetting | undefined;
  private readonly excluded: readonly Named[];
  private readonly core: readonly CoreList[];

  constructor(private readonly settings: GeminiSettings) {
    const secure = this.first('admin.secureModeEnabled', isOn);
    this.noYolo = this.first('security.disableYoloMode', isOn) ?? secure;
    this.noAlwaysAllow = this.first('security.disableAlwaysAllow', isOn) ?? secure;
    this.noPlanMode = this.first('general.plan.enabled', isOff);
    this.noServers = this.first('admin.mcp.enabled', isOff);
    this.excluded = [...settings.all('tools.exclude').flatMap(entriesOf), ...this.switchedOff()];
    this.core = this.counting('tools.core').map((by) => ({ by, entries: namesIn(by).map(readEntry) }));
    this.rules = [...this.excludingRules(), ...this.confirmingRules(), ...this.allowingRules()];
  }

  /** The reason why no call of this tool may run. */
  refusal(tool: Restricted): Refusal | undefined {
    if (tool.name === ALWAYS_THERE) return undefined;
    const fault = this.settings.faults.find(({ layer }) => layer !== 'project');
    if (fault && !LOOKING.has(tool.kind)) return notKnown(tool.name, `${fault.file}:${fault.line}`, fault.why);
    const excluded = this.excluded.find((entry) => entry.prefix === undefined && isAboutTool(entry, tool));
    if (excluded) return isOffBy(tool.name, excluded.by);
    const list = this.core.find(({ entries }) => !entries.some((entry) => isAboutTool(entry, tool)));
    return list && isNotIn(tool.name, list.by);
  }

  /**
   * The reason why a command may not run: `tools.core` lists only some commands and not this one, or the command may
   * hide one that `tools.exclude` names. Commands that can be parsed are left to the rules.
   */
  async commandRefusal(command: unknown, parser: () => Promise<ShellParser>): Promise<Refusal | undefined> {
    const isOfShell = (entry: ToolEntry): boolean => isAboutTool(entry, { name: SHELL_TOOL });
    const lists = this.core.filter(({ entries }) =>
      entries.filter(isOfShell).every(({ prefix }) => prefix !== undefined),
    );
    const excluded = this.excluded.find((entry) => entry.prefix !== undefined && isOfShell(entry));
    if (lists.length === 0 && !excluded) return undefined;
    const parsed = typeof command === 'string' ? (await parser()).parse(command) : undefined;
    const commands = parsed?.parsed && !hidesCommands(parsed) ? parsed.commands : undefined;
    if (excluded && !commands) return mayHide(excluded.by);
    for (const { by, entries } of lists) {
      const prefixes = entries.filter(isOfShell).flatMap(({ prefix }) => prefix ?? []);
      const isListed = commands?.every(({ text }) =>
        prefixes.some((prefix) => text === prefix || startsWith(text, prefix)),
      );
      if (!isListed) return isNotIn('This command', by, l10n.t('This command'));
    }
    return undefined;
  }

  /** The strongest value of the user and the system, and the value of each folder. */
  private counting(key: string): readonly GeminiSetting[] {
    const own = this.settings.own(key);
    return [...(own ? [own] : []), ...this.settings.ofFolders(key)];
  }

  private first(key: string, restricts: (setting: GeminiSetting) => boolean): GeminiSetting | undefined {
    return this.counting(key).find(restricts);
  }

  private switchedOff(): Named[] {
    return SWITCHES.flatMap(({ key, tools }) => {
      const by = this.first(key, isOff);
      return by ? tools.map((tool) => ({ tool, by })) : [];
    });
  }

  /**
   * These rules matter for commands and for agents, which are not tools here. Excluded tools are not offered at all.
   */
  private excludingRules(): PolicyRule[] {
    return this.excluded.flatMap((entry) => rulesFor(entry, 'deny', EXCLUDED));
  }

  private confirmingRules(): PolicyRule[] {
    const own = this.settings.own('tools.confirmationRequired');
    const ofFolders = this.settings.ofFolders('tools.confirmationRequired').flatMap(entriesOf);
    return [
      ...(own ? entriesOf(own) : []).flatMap((entry) => rulesFor(entry, 'ask_user', CONFIRMED)),
      ...ofFolders
        .flatMap((entry) => rulesFor(entry, 'ask_user', CONFIRMED))
        .map((rule) => ({ ...rule, onlyTightens: true })),
    ];
  }

  /** A folder cannot grant anything: its `tools.allowed` is reported as not applied. */
  private allowingRules(): PolicyRule[] {
    const own = this.settings.own('tools.allowed');
    if (!own) return [];
    const entries = entriesOf(own);
    const allowed = entries.flatMap((entry) => rulesFor(entry, 'allow', ALLOWED));
    // In Gemini CLI, a list of some commands refuses all others in every mode. In Gantry, a person may still allow one.
    const isNarrowed = entries.some(({ prefix }) => prefix !== undefined);
    return isNarrowed ? [...allowed, ...rulesFor({ tool: SHELL_TOOL, by: own }, 'ask_user', NOT_ALLOWED)] : allowed;
  }
}

/** Kinds that only read the workspace. */
const LOOKING: ReadonlySet<Tool['kind']> = new Set(['read', 'search']);

function entriesOf(by: GeminiSetting): Named[] {
  return namesIn(by).flatMap((written) => {
    const entry = readEntry(written);
    return entry.tool === '' ? [] : [{ ...entry, by }];
  });
}

function rulesFor({ tool, prefix, by }: Named, decision: PolicyRule['decision'], priority: number): PolicyRule[] {
  const source = { tier: 'user', label: settingPlace(by) } as const;
  const { patterns } = patternsOf({ toolName: tool, ...(prefix !== undefined && { commandPrefix: prefix }) }, decision);
  return patterns.map((argsPattern) => ({
    toolName: tool,
    decision,
    priority,
    source,
    ...(argsPattern && { argsPattern }),
  }));
}

function startsWith(text: string, prefix: string): boolean {
  return text.startsWith(prefix) && /\s/.test(text.charAt(prefix.length));
}

/** Such as `"tools.exclude" in /home/ada/.gemini/settings.json`. */
export function settingPlace({ key, file }: Pick<GeminiSetting, 'key' | 'file'>): string {
  return `"${key}" in ${file}`;
}

function isOffBy(tool: string, by: GeminiSetting): Refusal {
  return {
    why: `${tool} is off: ${settingPlace(by)} excludes it. Do without it.`,
    shown: l10n.t('{0} is off: "{1}" in {2} excludes it.', tool, by.key, by.file),
  };
}

function isNotIn(what: string, by: GeminiSetting, shown = what): Refusal {
  return {
    why: `${what} is off: ${settingPlace(by)} lists all that may be used. Do without it.`,
    shown: l10n.t('{0} is off: it is not in the list "{1}" in {2}.', shown, by.key, by.file),
  };
}

function mayHide(by: GeminiSetting): Refusal {
  return {
    why: `This command hides what it runs, and ${settingPlace(by)} excludes some commands. Write it without that.`,
    shown: l10n.t('This command hides what it runs, and "{0}" in {1} excludes some commands.', by.key, by.file),
  };
}

function notKnown(tool: string, place: string, why: string): Refusal {
  return {
    why: `${tool} is off because the settings could not be read, so it is not known what they forbid. ${place}: ${why}.`,
    shown: l10n.t(
      "{0} is off because Gantry can't read what the settings forbid. {1}: {2}. Correct the file and try again.",
      tool,
      place,
      why,
    ),
  };
}
