import * as l10n from '@vscode/l10n';
import { ProblemError } from '../../protocol/agent/problem.ts';
import { badConfiguration } from '../auth/configuration-problem.ts';

/** The models of one generation for hard, ordinary and small tasks. */
export interface Generation {
  readonly pro: string;
  readonly flash: string;
  readonly lite: string;
}

/**
 * The newest text models of Google's list without a shutdown date (September 2026). Flash is the newest that is generally
 * available and recommended for software engineering and agents; 3.1 Pro is still a preview.
 * https://ai.google.dev/gemini-api/docs/models and …/deprecations
 */
export const CURRENT: Generation = {
  pro: 'gemini-3.1-pro-preview',
  flash: 'gemini-3.8-flash',
  lite: 'gemini-3.5-flash-lite',
};

export const GENERATION_2_5: Generation = {
  pro: 'gemini-2.5-pro',
  flash: 'gemini-2.5-flash',
  lite: 'gemini-2.5-flash-lite',
};

/** Names for a choice among the models of a generation. */
const AUTO: ReadonlyMap<string, Generation> = new Map([
  ['auto', CURRENT],
  ['auto-gemini-3', CURRENT],
  ['auto-gemini-2.5', GENERATION_2_5],
]);

/** Names for models, with the models that they mean at present. */
export const MODEL_CHOICES: ReadonlyMap<string, string> = new Map([
  // Applies when routing does not choose: flash suffices for nearly all tasks and costs less than half.
  ['auto', CURRENT.flash],
  ['auto-gemini-3', CURRENT.flash],
  ['auto-gemini-2.5', GENERATION_2_5.pro],
  ['pro', CURRENT.pro],
  ['flash', CURRENT.flash],
  ['flash-lite', CURRENT.lite],
]);

/** Trims the name and removes the prefix that Gemini's own lists put in front of ids. An empty name means `auto`. */
export function plainName(name: string): string {
  return name.trim().replace(/^models\//, '') || 'auto';
}

/** The models that an `auto` name chooses from; undefined for any other name. */
export function choiceOf(name: string): Generation | undefined {
  return AUTO.get(plainName(name));
}

/** The model id for a name; any other text is taken as an id. */
export function concreteModel(name: string): string {
  const plain = plainName(name);
  return MODEL_CHOICES.get(plain) ?? plain;
}

/** The model for `auto` if nothing is known about the task. */
export const DEFAULT_MODEL = CURRENT.flash;

/** The models that a picker offers; the user can type any other id. */
export const KNOWN_MODELS: readonly string[] = [CURRENT.flash, CURRENT.pro, 'gemini-3.7-flash', CURRENT.lite];

/** Names that are no ids, such as `auto` and `flash`. */
export const MODEL_NAMES: readonly string[] = [...new Set([...AUTO.keys(), ...MODEL_CHOICES.keys()])];

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
  const what = l10n.t('"{0}" is not the ID of a model', shorten(id));
  const problem = badConfiguration(l10n.t('The model name is invalid'), what);
  throw new ProblemError({ ...problem, actions: ['switch-model', ...problem.actions] });
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
