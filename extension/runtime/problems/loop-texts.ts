import * as l10n from '@vscode/l10n';
import type { Loop } from '../../context/loops/loop.ts';
import { type ToolResult, toolError } from '../../ports/tool.ts';
import type { Problem } from '../../protocol/agent/problem.ts';
import { asUntrusted } from '../../text/untrusted.ts';

/** The result of a call that would only repeat earlier calls. */
export const NOT_RUN_AGAIN: ToolResult = toolError(
  'execution_failed',
  'Not run: the same calls were made several times before, with the same results.',
);

/** The notice for the model before the next request. */
export function loopNotice({ kind, detail }: Loop): string {
  return `[${FOUND[kind]}\n${asUntrusted(detail)}\n${ADVICE}]`;
}

const FOUND: Readonly<Record<Loop['kind'], string>> = {
  calls: 'Gantry: You are repeating yourself. The same calls with the same results came again and again, last:',
  words: 'Gantry: You are repeating yourself. Your answer was cut off because the same words came again and again:',
  check: 'Gantry: Your last steps seem to lead nowhere. Somebody who looked at them says:',
};

const ADVICE =
  'Step back and do not do it once more. Look at what the results so far tell you, then try another way, or tell the user ' +
  'what stands in the way. To wait for a background process use read_background_output with delay_ms.';

/** The model continued to repeat itself after the notice. */
export function loopProblem({ kind, detail }: Loop): Problem {
  return {
    kind: 'loop',
    title: l10n.t('Gantry was repeating itself and was stopped'),
    detail: l10n.t(
      '{0}, after it was told to try something else: {1}. Everything so far is kept.',
      repeated(kind),
      detail,
    ),
    actions: ['keep-going', 'stop-detecting'],
  };
}

function repeated(kind: Loop['kind']): string {
  switch (kind) {
    case 'calls':
      return l10n.t('It was about to make the same calls again');
    case 'words':
      return l10n.t('It repeated the same text');
    case 'check':
      return l10n.t('Its steps made no progress');
  }
}
