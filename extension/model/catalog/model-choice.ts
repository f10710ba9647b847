import * as l10n from '@vscode/l10n';
import { ProblemError } from '../../protocol/agent/problem.ts';
import { badConfiguration } from '../auth/configuration-problem.ts';
import { CURRENT, concreteModel, plainName } from './model-names.ts';

/** The model for `auto` if nothing is known about the task. */
export const DEFAULT_MODEL = CURRENT.flash;

/** The models that a picker offers; the user can type any other id. */
export const KNOWN_MODELS: readonly string[] = [CURRENT.flash, CURRENT.pro, 'gemini-3.7-flash', CURRENT.lite];

/** One or more path segments of the characters model ids are made of; gateways use ids such as `google/gemini-3.8-flash`. */
const MODEL_ID = /^(?!.*\.\.)[A-Za-z0-9][\w.@-]*(?:\/[A-Za-z0-9][\w.@-]*)*$/;

/** Whether the user may enter this name: `auto`, or a possible alias or id. */
export function isModelName(name: string): boolean {
  return name.trim() !== '' && MODEL_ID.test(plainName(name));
}

/** The model id for a configured name. Throws a `ProblemError` if the name cannot be an id. */
export function chooseModel(name: string): string {
  const id = concreteModel(name);
  if (MODEL_ID.test(id)) return id;
  const what = l10n.t('“{0}” is not the ID of a model', shorten(id));
  const problem = badConfiguration(l10n.t('The model name is invalid'), what);
  throw new ProblemError({ ...problem, actions: ['switch-model', ...problem.actions] });
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
