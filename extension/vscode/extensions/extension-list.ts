import * as l10n from '@vscode/l10n';
import type { BroughtAlong } from '../../gemini-extensions/brought-along.ts';
import type { ListedExtension } from '../../gemini-extensions/extension-catalog.ts';
import type { ExtensionProblem } from '../../gemini-extensions/gemini-extension.ts';
import type { AgentService } from '../../runtime/agent-service.ts';
import { visible } from '../base/escape-ui-text.ts';
import { Commands } from '../names.ts';
import type { SlashNotice } from '../suggestions/slash-command.ts';

/** An extension with its contents. */
export interface ShownExtension {
  readonly extension: ListedExtension;
  readonly brings: BroughtAlong;
}

/** Lists each extension with its state, contents and manifest, followed by the problems found. */
export function extensionsNotice(
  shown: readonly ShownExtension[],
  problems: readonly ExtensionProblem[],
  isTrusted: boolean,
): SlashNotice {
  const wrong = problems.map(({ file, line, text }) => ({
    name: `${file}:${line}`,
    value: text,
    file: { path: file, line },
  }));
  if (shown.length === 0) {
    const how = { name: 'gemini extensions install', value: l10n.t('Gemini CLI installs them, for both programs') };
    return { title: l10n.t('There are no extensions of Gemini CLI'), rows: [how, ...wrong] };
  }
  const rows = shown.map(({ extension, brings }) => ({
    name: extension.name,
    value: [extensionStateText(extension), broughtText(brings), visible(extension.description ?? '')]
      .filter((part) => part !== '')
      .join(' · '),
    file: { path: extension.manifest },
  }));
  return {
    title: isTrusted
      ? l10n.t('Extensions of Gemini CLI')
      : l10n.t('Extensions of Gemini CLI. This folder is not trusted, so only their rules apply'),
    rows: [...rows, ...wrong],
    actions: [{ label: l10n.t('Turn on and off'), command: Commands.extensions }],
  };
}

export function extensionStateText({ version, isEnabled }: ListedExtension): string {
  const number = visible(version);
  return isEnabled ? l10n.t('{0}, on in this folder', number) : l10n.t('{0}, off in this folder', number);
}

export function broughtText(brings: BroughtAlong): string {
  const { contextFiles, servers, commands, skills, agents, hooks, policies, excludedTools } = brings;
  const parts = [
    contextFiles > 0 ? l10n.t('instructions') : '',
    counted(commands, l10n.t('1 command'), l10n.t('{0} commands', commands)),
    counted(skills, l10n.t('1 skill'), l10n.t('{0} skills', skills)),
    counted(agents, l10n.t('1 agent'), l10n.t('{0} agents', agents)),
    counted(servers, l10n.t('1 MCP server'), l10n.t('{0} MCP servers', servers)),
    hooks > 0 ? l10n.t('hooks') : '',
    policies > 0 ? l10n.t('rules') : '',
    counted(excludedTools, l10n.t('refuses 1 tool'), l10n.t('refuses {0} tools', excludedTools)),
  ].filter((part) => part !== '');
  return parts.length === 0 ? l10n.t('is empty') : parts.join(', ');
}

function counted(count: number, one: string, several: string): string {
  if (count === 0) return '';
  return count === 1 ? one : several;
}

type Service = Pick<AgentService, 'extensions' | 'mcp'>;

/** Returns the current extensions, each with its contents. */
export async function shownExtensions({ extensions }: Pick<Service, 'extensions'>): Promise<readonly ShownExtension[]> {
  await extensions.refresh();
  return Promise.all(
    extensions
      .extensions()
      .map(async (extension) => ({ extension, brings: await extensions.broughtBy(extension.name) })),
  );
}

/**
 * Turns an extension on or off for the open folder. Its MCP servers start or stop at once; everything else is read
 * again before each request.
 */
export async function switchExtension({ extensions, mcp }: Service, name: string, isOn: boolean): Promise<void> {
  await extensions.setEnabled(name, 'workspace', isOn);
  await mcp.refresh();
}
