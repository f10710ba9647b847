import * as l10n from '@vscode/l10n';
import type { WaitingAgents } from '../../agents/agent-catalog.ts';
import type { WaitingHook } from '../../hooks/hooks-in-force.ts';
import { visible } from '../base/escape-ui-text.ts';
import { clauseText } from './sandbox-texts.ts';

/** The full commands of the hooks, exactly as written: an approval covers this text. */
export function hooksText(waiting: readonly WaitingHook[]): string {
  const intro = [
    waiting.some(({ hook: { extension } }) => extension !== undefined)
      ? l10n.t('The following commands would run on your machine, each at the event named with it.')
      : l10n.t('This folder wants to run the following commands on your machine, each at the event named with it.'),
    l10n.t('The hooks that you select run from now on. Any change requires approval again.'),
  ];
  return [...intro, ...waiting.flatMap((hook, index) => ['', ...hookLines(hook, index + 1)]), ''].join('\n');
}

/** The label of a hook in a list. */
export function hookLabel({ event, matcher, hook: { name } }: WaitingHook, number: number): string {
  const when = matcher === undefined || matcher === '' ? event : `${event} (${matcher})`;
  return visible([`${number}. ${when}`, name].filter(Boolean).join(' · ')).replace(/\s+/g, ' ');
}

function hookLines(waiting: WaitingHook, number: number): string[] {
  const { command, timeoutMs, env = {}, file, line, extension, source, sandbox } = waiting.hook;
  const variables = Object.entries(env).map(([name, value]) => `   ${l10n.t('with {0}', visible(`${name}=${value}`))}`);
  return [
    hookLabel(waiting, number),
    `   ${l10n.t('from {0}', `${file}:${line}`)}`,
    ...(extension === undefined ? [] : [`   ${l10n.t('of the extension {0}', extension)}`]),
    ...(timeoutMs === undefined ? [] : [`   ${l10n.t('for at most {0} s', timeoutMs / 1000)}`]),
    ...variables,
    ...(source === 'project' ? [`   ${visible(clauseText(sandbox))}`] : []),
    '',
    ...visible(command)
      .split('\n')
      .map((each) => `      ${each}`),
  ];
}

/** The full definitions of the agents, exactly as written: an approval covers this text. */
export function agentsText(waiting: readonly WaitingAgents[]): string {
  const intro = [
    waiting.some(({ extension }) => extension !== undefined)
      ? l10n.t('These agents require approval. Each works with the instructions, tools and servers of its file.')
      : l10n.t('This folder contains agents. Each works with the instructions, tools and servers of its file.'),
    l10n.t('The agents that you select can be used from now on. Any change requires approval again.'),
  ];
  const files = waiting.flatMap((file, index) => [
    '',
    agentLabel(file, index + 1),
    `   ${l10n.t('from {0}', visible(file.path))}`,
    ...(file.extension === undefined ? [] : [`   ${l10n.t('of the extension {0}', file.extension)}`]),
    '',
    ...visible(file.text)
      .split('\n')
      .map((line) => `      ${line}`),
  ]);
  return [...intro, ...files, ''].join('\n');
}

/** The label of an agent file in a list. */
export function agentLabel({ names }: WaitingAgents, number: number): string {
  return visible(`${number}. ${names.join(', ')}`).replace(/\s+/g, ' ');
}
