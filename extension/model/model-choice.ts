import { ProblemError } from '../protocol/problem.ts';
import { badConfiguration } from './configuration-problem.ts';

/**
 * What `auto` stands for: the newest generally available model that Google's list recommends for software engineering and
 * agents (September 2026). gemini-2.5-pro is being shut down since October 2026, and 3.1 Pro is still a preview.
 * https://ai.google.dev/gemini-api/docs/models and …/deprecations
 */
export const DEFAULT_MODEL = 'gemini-3.8-flash';

/** What a picker offers; any other id can be typed. Text models of the same list that have no shutdown date. */
export const KNOWN_MODELS: readonly string[] = [
  DEFAULT_MODEL,
  'gemini-3.1-pro-preview',
  'gemini-3.7-flash',
  'gemini-3.5-flash-lite',
];

/** One or more path segments of the characters model ids are made of; gateways use ids such as `google/gemini-3.8-flash`. */
const MODEL_ID = /^(?!.*\.\.)[A-Za-z0-9][\w.@-]*(?:\/[A-Za-z0-9][\w.@-]*)*$/;

/** Whether a user may name a model so: `auto` or something that can be an id. */
export function isModelName(name: string): boolean {
  const id = idOf(name);
  return id === 'auto' || MODEL_ID.test(id);
}

/** The model id for a configured name. Throws a `ProblemError` when the name can be none. */
export function chooseModel(name: string): string {
  const id = idOf(name);
  if (id === '' || id === 'auto') return DEFAULT_MODEL;
  if (MODEL_ID.test(id)) return id;
  const what = `“${shorten(id)}” in gantry.model.name is not a model's id`;
  const problem = badConfiguration('The model name is not usable', what);
  throw new ProblemError({ ...problem, actions: ['switch-model', ...problem.actions] });
}

/** Whether the model may be asked for its thoughts; others answer such a request with an error. */
export function supportsThinking(model: string): boolean {
  const id = model.slice(model.lastIndexOf('/') + 1);
  const thinks = /^gemini-(?:2\.5|[3-9]|\d{2}|pro-latest|flash-latest|flash-lite-latest)/.test(id);
  return thinks && !/-(?:image|tts|live|embedding|native-audio|computer-use)/.test(id);
}

/** Gemini's own lists write ids as `models/gemini-…`. */
function idOf(name: string): string {
  return name.trim().replace(/^models\//, '');
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
