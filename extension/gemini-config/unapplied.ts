import type { GeminiSetting, GeminiSettings } from './gemini-settings.ts';
import { settingPlace } from './restrictions.ts';
import { SETTING_KEYS } from './setting-keys.ts';

const NOT_YET: readonly string[] = SETTING_KEYS.flatMap(({ key, verdict }) => (verdict === 'not yet' ? key : []));

/** Values that match Gantry's behavior although their keys are not supported yet. */
const AS_IT_IS: Readonly<Record<string, unknown>> = {
  'context.fileFiltering.respectGitIgnore': true,
  'context.fileFiltering.respectGeminiIgnore': true,
  'general.plan.modelRouting': true,
  'general.retryFetchErrors': true,
  'experimental.gemmaModelRouter.enabled': false,
  'experimental.taskTracker': false,
  'model.disableLoopDetection': false,
  'output.format': 'text',
  'security.enableConseca': false,
  'security.enablePermanentToolApproval': true,
  'security.environmentVariableRedaction.enabled': false,
  'security.toolSandboxing': false,
  'telemetry.enabled': false,
  'tools.sandbox': false,
  'tools.sandboxNetworkAccess': true,
};

/** Settings that Gantry knows but does not apply. They include permissions from folders. */
export function unapplied(settings: GeminiSettings): readonly GeminiSetting[] {
  const written = settings.keys().filter(({ key, value }) => {
    const isKnown = NOT_YET.some((known) => key === known || key.startsWith(`${known}.`));
    return isKnown && value !== null && (!Object.hasOwn(AS_IT_IS, key) || AS_IT_IS[key] !== value);
  });
  return [...written, ...settings.ofFolders('tools.allowed')];
}

/** Lists all of them in one line; undefined if there are none. */
export function unappliedNote(settings: GeminiSettings): string | undefined {
  const places = [...new Set(unapplied(settings).map(settingPlace))];
  return places.length === 0 ? undefined : `Settings of Gemini CLI that do not count in Gantry: ${places.join(', ')}.`;
}
