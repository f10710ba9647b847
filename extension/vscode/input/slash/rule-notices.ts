import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { CommandHook, HookGroup } from '../../../hooks/hook-types.ts';
import type { WaitingHook } from '../../../hooks/hooks-in-force.ts';
import type { LoadedFile } from '../../../policy/rules/load-policies.ts';
import { tierTitle } from '../../../policy/rules/rule-sentence.ts';
import type { PolicyProblem } from '../../../policy/rules/rule-set.ts';
import { Commands } from '../../names.ts';
import { plainFileState } from '../../policy/policy-texts.ts';
import type { NoticeRow, SlashNotice } from '../../suggestions/slash-command.ts';

interface HooksNow {
  readonly groups: readonly HookGroup[];
  readonly waiting: readonly WaitingHook[];
}

/** Lists the hooks by event, followed by those that require approval. */
export function hooksNotice({ groups, waiting }: HooksNow): SlashNotice {
  const running = groups.flatMap(({ event, matcher, hooks }) =>
    hooks.map((hook): NoticeRow => {
      const name = moment(event, matcher);
      if (hook.type === 'runtime') return { name, value: l10n.t('{0}, by another extension', hook.name) };
      const { command, file, line } = hook;
      return { name, value: `${sourceWords(hook)}: ${command}`, file: { path: file, line } };
    }),
  );
  const asking = waiting.map(({ event, matcher, hook: { command, file, line, extension } }) => ({
    name: moment(event, matcher),
    value:
      extension === undefined
        ? l10n.t('Off until you approve it: {0}', command)
        : l10n.t('Extension {0}, off until you approve it: {1}', extension, command),
    file: { path: file, line },
  }));
  const rows = [...running, ...asking];
  return {
    title: rows.length === 0 ? l10n.t('There are no hooks here') : l10n.t('Hooks'),
    rows,
    ...(waiting.length > 0 && { actions: [{ label: l10n.t('Review hooks'), command: Commands.reviewHooks }] }),
  };
}

/** Lists every policy file, the highest priority first. */
export function policiesNotice(files: readonly LoadedFile[], problems: readonly PolicyProblem[]): SlashNotice {
  return {
    title: l10n.t('Policies, from highest to lowest priority'),
    rows: files.map((file) => ({
      name: basename(file.path),
      value: `${tierTitle(file.tier)}: ${plainFileState(file, problems)}`,
      file: { path: file.path },
    })),
    actions: [{ label: l10n.t('Open policies'), command: Commands.openPolicies }],
  };
}

function moment(event: string, matcher: string | undefined): string {
  return matcher === undefined || matcher === '' ? event : `${event} (${matcher})`;
}

function sourceWords({ source, extension = '' }: CommandHook): string {
  switch (source) {
    case 'project':
      return l10n.t('This folder');
    case 'user':
      return l10n.t('Yours');
    case 'system':
      return l10n.t('This machine');
    case 'extension':
      return l10n.t('Extension {0}', extension);
  }
}
