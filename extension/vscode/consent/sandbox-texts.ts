import * as l10n from '@vscode/l10n';
import type { SandboxClause } from '../../policy/sandbox-clause.ts';
import type { SandboxSettings } from '../../ports/settings.ts';
import { sandboxName } from '../../protocol/agent/sandbox-block.ts';
import type { SandboxSupport } from '../../sandbox/sandbox-support.ts';
import type { NoticeRow } from '../suggestions/slash-command.ts';

/** Describes how commands are confined. Undefined means `gantry.sandbox.mode: off`. */
export function sandboxWords(support: SandboxSupport | undefined): string {
  if (support === undefined) return l10n.t('not confined, because "gantry.sandbox.mode" is "off"');
  if ('tool' in support) return l10n.t('confined by {0}', sandboxName(support.tool.kind));
  return l10n.t('not confined. {0}', support.missing);
}

export interface SandboxRules {
  readonly support: SandboxSupport | undefined;
  readonly settings: Pick<SandboxSettings, 'autoAllow' | 'folders' | 'network'>;
  /** The absolute paths of the open folders. */
  readonly roots: readonly string[];
  /** Folders and hosts that the user opened to commands for this session. */
  readonly session: { readonly folders: readonly string[]; readonly hosts: readonly string[] };
}

/** Lists how commands are confined and what they may do without approval. */
export function sandboxRows({ support, settings, roots, session }: SandboxRules): readonly NoticeRow[] {
  const how = { name: l10n.t('Commands'), value: sandboxWords(support) };
  if (!support || 'missing' in support) return [how];
  const folders = [...roots, ...settings.folders, ...session.folders.map(inSession)];
  const hosts = [...settings.network, ...session.hosts.map(inSession)];
  return [
    how,
    { name: l10n.t('They can change'), value: l10n.t('{0}, except protected files', listed(folders)) },
    { name: l10n.t('They can reach'), value: hosts.length === 0 ? l10n.t('no host') : listed(hosts) },
    {
      name: l10n.t('Without asking'),
      value: settings.autoAllow
        ? l10n.t('commands in the sandbox, unless a rule says otherwise')
        : l10n.t('only what the rules allow ("gantry.sandbox.autoAllow" is off)'),
    },
  ];
}

/** Describes what a program of a project may do in a sandbox, for the question about it. */
export function clauseText(clause: SandboxClause | undefined): string {
  if (clause === false) return l10n.t('outside the sandbox, with all your permissions');
  const { folders = [], network } = clause ?? {};
  const writes =
    folders.length === 0
      ? l10n.t('where there is a sandbox, it can change only the open folders')
      : l10n.t('where there is a sandbox, it can change only the open folders and {0}', listed(folders));
  if (network === undefined) return writes;
  const reaches =
    network.length === 0 ? l10n.t('and reaches no host') : l10n.t('and reaches only {0}', listed(network));
  return `${writes}, ${reaches}`;
}

const inSession = (what: string): string => l10n.t('{0} (in this session)', what);

function listed(texts: readonly string[]): string {
  return [...new Set(texts)].join(', ');
}
