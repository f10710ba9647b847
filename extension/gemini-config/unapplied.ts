import type { WrittenSetting } from './flat-keys.ts';
import type { GeminiSetting, GeminiSettings, LayerName } from './gemini-settings.ts';
import { settingPlace } from './restrictions.ts';
import { settingValues } from './setting-values.ts';

const under = (section: string, names: string): string[] => names.split(' ').map((name) => `${section}.${name}`);

/** The settings that Gantry knows but does not apply yet. `settingKeys` says why, in texts that only editors show. */
export const NOT_YET: readonly string[] = [
  'policyPaths',
  'adminPolicyPaths',
  ...under('general', 'plan.modelRouting retryFetchErrors maxAttempts'),
  'output.format',
  'telemetry',
  ...under('billing.vertexAi', 'requestType sharedRequestType'),
  ...under('model', 'summarizeToolOutput compressionThreshold disableLoopDetection'),
  ...under('modelConfigs', 'modelDefinitions modelIdResolutions classifierIdResolutions modelChains'),
  ...under('context', 'memoryBoundaryMarkers includeDirectories'),
  ...under('context.fileFiltering', 'respectGitIgnore respectGeminiIgnore customIgnoreFilePaths'),
  ...under('tools', 'sandbox sandboxAllowedPaths sandboxNetworkAccess shell.inactivityTimeout'),
  ...under('tools', 'discoveryCommand callCommand truncateToolOutputThreshold'),
  'mcp.serverCommand',
  ...under('security', 'toolSandboxing enablePermanentToolApproval'),
  ...under('security.environmentVariableRedaction', 'allowed blocked enabled'),
  ...under('security', 'auth.enforcedType enableConseca'),
  'experimental.taskTracker',
  ...under('experimental.gemmaModelRouter', 'enabled autoStartServer binaryPath classifier.host classifier.model'),
  ...under('admin.mcp', 'config requiredConfig'),
];

/** What a folder can't set. Its other settings can only restrict. */
const NOT_FROM_FOLDERS = ['tools.allowed', 'modelConfigs'];

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

/** The key of a setting that Gantry knows but does not apply. This includes permissions from folders. */
export function unappliedKey({ key, value }: WrittenSetting, layer: LayerName): string | undefined {
  if (value === null) return undefined;
  const ofFolder = layer === 'project' ? NOT_FROM_FOLDERS.find((section) => isBelow(key, [section])) : undefined;
  if (ofFolder !== undefined) return ofFolder;
  const isAsItIs = Object.hasOwn(AS_IT_IS, key) && AS_IT_IS[key] === value;
  return isBelow(key, NOT_YET) && !isAsItIs ? key : undefined;
}

/** Why a value is ignored: it isn't one that the setting can have. */
export function wrongValue({ key, value }: WrittenSetting): string | undefined {
  const { schema, expected } = settingValues().get(sectionOf(key)) ?? {};
  if (!schema || value === null || (sectionOf(key) === key && schema.safeParse(value).success)) return undefined;
  return expected;
}

/** The key of the setting that a key is in: an object in the place of another value has keys of its own. */
function sectionOf(key: string): string {
  return [...settingValues().keys()].find((known) => isBelow(key, [known])) ?? key;
}

function isBelow(key: string, sections: readonly string[]): boolean {
  return sections.some((section) => key === section || key.startsWith(`${section}.`));
}

/** Lists the settings that do not apply, and those with wrong values, in one line each. */
export function settingsNotes(settings: GeminiSettings): readonly string[] {
  const written = settings.written();
  const unapplied = placesOf(
    written.flatMap((setting) => {
      const key = unappliedKey(setting, setting.layer);
      return key === undefined ? [] : { key, file: setting.file };
    }),
  );
  const wrong = placesOf(
    written.filter(
      (setting) => unappliedKey(setting, setting.layer) === undefined && wrongValue(setting) !== undefined,
    ),
  );
  return [
    ...(unapplied === '' ? [] : [`Settings of Gemini CLI that do not count in Gantry: ${unapplied}.`]),
    ...(wrong === '' ? [] : [`Settings of Gemini CLI that are ignored because of their values: ${wrong}.`]),
  ];
}

function placesOf(settings: readonly Pick<GeminiSetting, 'key' | 'file'>[]): string {
  return [...new Set(settings.map(settingPlace))].join(', ');
}
