import type { Problem } from '../protocol/problem.ts';
import { ProblemError } from '../protocol/problem.ts';
import type { Host } from '../runtime/host.ts';
import { choiceOf } from './catalog/model-names.ts';
import { type Credential, resolveCredential } from './credentials.ts';
import { chooseModel } from './model-choice.ts';

export const OFFLINE_LABEL = 'offline guide';
export const OFFLINE_MODEL = 'offline-guide';

/** What a surface shows of the model in use. */
export interface ModelDescription {
  readonly model: string;
  readonly label: string;
  /** No model is asked; the offline guide answers. */
  readonly offline: boolean;
  /** Why the next request would fail before it is sent. */
  readonly problem?: Problem;
}

export type ModelHost = Pick<Host, 'settings' | 'secrets' | 'environment' | 'log'>;

/** Read anew for every request: keys and settings may change at any time. */
export async function currentCredential(host: ModelHost): Promise<Credential> {
  return resolveCredential({
    authMethod: host.settings.authMethod(),
    baseUrl: host.settings.baseUrl(),
    secretKey: await storedKey(host),
    environment: host.environment,
  });
}

/** Loads neither SDK nor ADK, so the activation bundle may ask it. */
export async function describeModel(host: ModelHost): Promise<ModelDescription> {
  const credential = await currentCredential(host);
  if (credential.kind === 'offline') return { model: OFFLINE_MODEL, label: OFFLINE_LABEL, offline: true };
  const name = host.settings.modelName();
  try {
    const model = chooseModel(name);
    const problem = credential.kind === 'problem' ? { problem: credential.problem } : {};
    // Which one it is, is known with each message.
    return { model, label: choiceOf(name) ? 'auto' : model, offline: false, ...problem };
  } catch (error) {
    if (!ProblemError.is(error)) throw error;
    return { model: name, label: name, offline: false, problem: error.problem };
  }
}

/** A locked keychain must not take away the key in the environment. */
async function storedKey({ secrets, log }: ModelHost): Promise<string | undefined> {
  try {
    return await secrets.apiKey();
  } catch (error) {
    log.error('The secret storage could not be read; going on without a stored key', error);
    return undefined;
  }
}
