import * as l10n from '@vscode/l10n';
import type { WaitingAgents } from '../../agents/agent-catalog.ts';
import { visible } from '../base/escape-ui-text.ts';

/** The whole definitions, character by character: this is what an approval covers. */
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

/** One line for a list. */
export function agentLabel({ names }: WaitingAgents, number: number): string {
  return visible(`${number}. ${names.join(', ')}`).replace(/\s+/g, ' ');
}
