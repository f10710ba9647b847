import * as l10n from '@vscode/l10n';
import type { Host } from '../../ports/host.ts';
import { type Credential, resolveCredential } from '../auth/credentials.ts';
import { hostAndPort } from '../base-url.ts';
import { choiceOf, chooseModel, isModelName } from './model-names.ts';

export const offlineLabel = (): string => l10n.t('offline guide');
export const OFFLINE_MODEL = 'offline-guide';

/** The description of the current model for surfaces. */
export interface ModelDescription {
  readonly model: string;
  readonly label: string;
  /** The service and the kind of credentials, such as "Vertex AI (tools, europe-west4)"; absent if unknown. */
  readonly method?: string;
  /** Whether the offline guide answers instead of a model. */
  readonly offline: boolean;
}

export type ModelHost = Pick<Host, 'settings' | 'secrets' | 'environment' | 'log'>;

/** Read again for every request: keys and settings may change at any time. */
export async function currentCredential(host: ModelHost): Promise<Credential> {
  const { settings, secrets, environment } = host;
  const authMethod = settings.authMethod();
  const stored = <T>(read: () => Promise<T> | undefined): Promise<T | undefined> => readSecret(host, read);
  return resolveCredential({
    authMethod,
    baseUrl: settings.baseUrl(),
    auth: settings.auth?.(),
    secretKey: await stored(() => secrets.apiKey()),
    signedIn: (await stored(() => secrets.login?.read())) !== undefined,
    environment,
  });
}

/**
 * Whether a model is configured, or the offline guide is chosen on purpose. It is no substitute where a program asks,
 * which would take its text for a model's answer.
 */
export async function isModelConfigured(host: ModelHost & Pick<Host, 'recorded'>): Promise<boolean> {
  const isChosen = host.recorded?.replay !== undefined || host.settings.authMethod() === 'offline';
  return isChosen || (await currentCredential(host)).kind !== 'offline';
}

/**
 * Loads neither the SDK nor ADK, so the activation bundle can use it. Invalid configuration is reported only when a
 * request is sent.
 */
export async function describeModel(host: ModelHost): Promise<ModelDescription> {
  const credential = await currentCredential(host);
  if (credential.kind === 'offline') return { model: OFFLINE_MODEL, label: offlineLabel(), offline: true };
  const name = host.settings.modelName();
  const model = isModelName(name) ? chooseModel(name) : name;
  const method = credential.kind === 'problem' ? {} : { method: methodWords(credential) };
  // Each message shows which model was chosen.
  return { model, label: choiceOf(name) ? 'auto' : model, offline: false, ...method };
}

/** Describes where requests go and with which kind of credentials. The text contains no secret. */
export function methodWords(credential: Exclude<Credential, { kind: 'problem' | 'offline' }>): string {
  const { baseUrl, vertex } = { vertex: undefined, ...credential };
  const place = vertex?.project === undefined ? '' : ` (${vertex.project}, ${vertex.location})`;
  const service = vertex ? `Vertex AI${place}` : l10n.t('the Gemini API');
  const placed = (name: string): string => (baseUrl ? l10n.t('{0} at {1}', name, hostAndPort(baseUrl.value)) : name);
  switch (credential.kind) {
    case 'gateway':
      return placed(l10n.t('the gateway'));
    case 'gemini':
    case 'express':
      return l10n.t('{0}, with an API key', placed(service));
    case 'adc':
      return l10n.t('{0}, with application default credentials', placed(service));
    case 'login':
      return l10n.t('{0}, signed in with Google', placed(service));
  }
}

/** If the keychain is locked, a key in the environment must still work. */
async function readSecret<T>({ log }: ModelHost, read: () => Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    log.error('The secret storage could not be read; going on without what is stored there', error);
    return undefined;
  }
}
