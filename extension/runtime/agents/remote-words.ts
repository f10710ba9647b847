import * as l10n from '@vscode/l10n';
import { namedFailure } from '../../files/file-failure.ts';
import { type ToolResult, toolError } from '../../ports/tool.ts';
import type { Introduction } from '../../remote-agents/remote-agents.ts';
import { RemoteFailure } from '../../remote-agents/remote-failure.ts';

/** What the question about a call says about a remote agent. */
export function introductionOf({ url, provider, hasChanged }: Introduction): string {
  const where =
    provider === undefined
      ? l10n.t('This task is sent to the remote agent at {0}.', url)
      : l10n.t('This task is sent to the remote agent at {0} ({1}).', url, provider);
  return hasChanged ? `${where} ${l10n.t('Its agent card has changed since you agreed to it.')}` : where;
}

export function failedToIntroduce(name: string, error: unknown): ToolResult {
  return toolError('execution_failed', `The remote agent ${name} cannot be used. ${remoteFailureText(error)}`);
}

/** In English, for the model. */
export function remoteFailureText(error: unknown): string {
  return error instanceof RemoteFailure ? error.message : namedFailure(error);
}
