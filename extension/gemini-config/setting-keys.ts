import * as l10n from '@vscode/l10n';
import { once } from '../base/once.ts';

/** How Gantry treats a key: it applies, it has no meaning here, or it is not supported yet. */
export type KeyVerdict = 'honoured' | 'not applicable' | 'not yet';

export interface SettingKey {
  /** The key in dotted form. A key that holds values by name is listed without the names: `mcpServers`. */
  readonly key: string;
  readonly verdict: KeyVerdict;
  /** What applies, or why the key does not apply; for people. */
  readonly note: string;
}

const yes = (note: string, ...keys: readonly string[]): SettingKey[] =>
  keys.map((key) => ({ key, verdict: 'honoured', note }));
const no = (note: string, ...keys: readonly string[]): SettingKey[] =>
  keys.map((key) => ({ key, verdict: 'not applicable', note }));
const later = (note: string, ...keys: readonly string[]): SettingKey[] =>
  keys.map((key) => ({ key, verdict: 'not yet', note }));

const under = (section: string, names: string): string[] => names.split(' ').map((name) => `${section}.${name}`);

/** Every key of Gemini CLI's settings schema, in its order. `docs/gemini-cli.md` is generated from it. */
export const settingKeys = once((): readonly SettingKey[] => {
  const terminal = l10n.t('about the terminal interface of Gemini CLI');
  const ofVscode = l10n.t('VS Code has its own setting');
  const removesTools = l10n.t('`false` removes its tools');
  return [
    ...no(l10n.t('for editors only'), '$schema'),
    ...yes(l10n.t('see [mcp.md](mcp.md); `trust` of a folder is ignored'), 'mcpServers'),
    ...later(l10n.t('use `gantry.policy.paths` or `--policy`'), 'policyPaths'),
    ...later(l10n.t('`/etc/gemini-cli/policies` is read'), 'adminPolicyPaths'),

    ...no(ofVscode, ...under('general', 'preferredEditor openEditorInNewWindow vimMode')),
    ...yes(l10n.t('on the command line; in the panel `gantry.approvalMode`'), 'general.defaultApprovalMode'),
    ...no(
      terminal,
      ...under('general', 'devtools enableAutoUpdate enableAutoUpdateNotification debugKeystrokeLogging'),
    ),
    ...no(l10n.t("Gantry uses VS Code's notifications"), ...under('general', 'enableNotifications notificationMethod')),
    ...no(l10n.t('files can always be restored'), 'general.checkpointing.enabled'),
    ...yes(l10n.t('`false` removes plan mode'), 'general.plan.enabled'),
    ...no(l10n.t('plans are kept with the conversation'), 'general.plan.directory'),
    ...later(l10n.t('plans always go to the strong model'), 'general.plan.modelRouting'),
    ...later(l10n.t('failed requests are always retried'), 'general.retryFetchErrors'),
    ...later(l10n.t('`gantry.model.maxAttempts`, or `GANTRY_MAX_ATTEMPTS`'), 'general.maxAttempts'),
    ...no(
      l10n.t('Gantry has its own setting'),
      ...under('general.sessionRetention', 'enabled maxAge maxCount minRetention'),
    ),
    ...no(l10n.t('about the way Gemini CLI reports its work'), 'general.topicUpdateNarration'),
    ...no(l10n.t('for a Google service that Gantry does not use'), 'general.logRagSnippets'),
    ...later(l10n.t('use `--output`'), 'output.format'),

    ...no(
      terminal,
      ...under(
        'ui',
        'debugRainbow theme autoThemeSwitching terminalBackgroundPollingInterval customThemes hideWindowTitle inlineThinkingMode showStatusInTitle dynamicWindowTitle showHomeDirectoryWarning showCompatibilityWarnings hideTips escapePastedAtSymbols showShortcutsHint compactToolOutput hideBanner hideContextSummary',
      ),
      ...under('ui.footer', 'items showLabels hideCWD hideSandboxStatus hideModelInfo hideContextPercentage'),
      ...under(
        'ui',
        'hideFooter collapseDrawerDuringApproval showMemoryUsage showLineNumbers showCitations showModelInfoInChat showUserIdentity useAlternateBuffer renderProcess terminalBuffer useBackgroundColor incrementalRendering showSpinner loadingPhrases errorVerbosity customWittyPhrases',
      ),
      ...under('ui.accessibility', 'enableLoadingPhrases screenReader'),
    ),
    ...no(l10n.t('Gantry runs in the editor'), ...under('ide', 'enabled hasSeenNudge')),
    ...no(l10n.t('Gantry collects none'), 'privacy.usageStatisticsEnabled'),
    ...later(l10n.t('`gantry.telemetry.otlpEndpoint` and `--otlp` name the receiver'), 'telemetry'),
    ...no(l10n.t('credits of a Google login'), 'billing.overageStrategy'),
    ...later(l10n.t('headers of Vertex AI'), ...under('billing.vertexAi', 'requestType sharedRequestType')),

    ...yes(l10n.t('on the command line; in the panel `gantry.model.name`'), 'model.name'),
    ...yes(
      l10n.t('on the command line, a folder can only lower it; in the panel `gantry.session.maxTurns`'),
      'model.maxSessionTurns',
    ),
    ...later(l10n.t('long outputs are cut and kept in a file'), 'model.summarizeToolOutput'),
    ...later(l10n.t('`gantry.context.compressionThreshold`'), 'model.compressionThreshold'),
    ...later(l10n.t('`gantry.model.loopDetection`'), 'model.disableLoopDetection'),
    ...no(l10n.t('Gantry has no such check'), 'model.skipNextSpeakerCheck'),
    ...yes(
      l10n.t('on the command line, but not from a folder'),
      ...under('modelConfigs', 'aliases customAliases customOverrides overrides'),
    ),
    ...later(
      l10n.t('the known models are built in'),
      ...under('modelConfigs', 'modelDefinitions modelIdResolutions classifierIdResolutions modelChains'),
    ),

    ...yes(l10n.t('see [agents.md](agents.md)'), 'agents.overrides'),
    ...no(
      l10n.t('Gantry has no browser agent'),
      ...under(
        'agents.browser',
        'sessionMode headless profilePath visualModel allowedDomains disableUserInput maxActionsPerTask confirmSensitiveActions blockFileUploads',
      ),
    ),

    ...yes(l10n.t('see [instructions.md](instructions.md)'), 'context.fileName'),
    ...no(l10n.t('imports are always inserted'), 'context.importFormat'),
    ...no(l10n.t('the agent lists folders itself'), 'context.includeDirectoryTree'),
    ...no(l10n.t('Gantry has its own limits'), 'context.discoveryMaxDirs'),
    ...later(l10n.t('the search ends at the root of the repository'), 'context.memoryBoundaryMarkers'),
    ...later(l10n.t('add the folder to the workspace'), 'context.includeDirectories'),
    ...no(l10n.t('all folders of a workspace are searched'), 'context.loadMemoryFromIncludeDirectories'),
    ...later(
      l10n.t('always applied; `false` has no effect'),
      ...under('context.fileFiltering', 'respectGitIgnore respectGeminiIgnore'),
    ),
    ...no(
      l10n.t('the list of files is always kept current'),
      ...under('context.fileFiltering', 'enableFileWatcher enableRecursiveFileSearch enableFuzzySearch'),
    ),
    ...later(l10n.t('`.gitignore` and `.geminiignore` are read'), 'context.fileFiltering.customIgnoreFilePaths'),

    ...later(
      l10n.t('`gantry.sandbox.mode` and `--sandbox` decide'),
      ...under('tools', 'sandbox sandboxAllowedPaths sandboxNetworkAccess'),
    ),
    ...no(l10n.t('commands always run on a terminal'), 'tools.shell.enableInteractiveShell'),
    ...no(l10n.t('the model is told when a command ends'), 'tools.shell.backgroundCompletionBehavior'),
    ...no(terminal, ...under('tools.shell', 'pager showColor')),
    ...later(l10n.t('a command without output keeps running'), 'tools.shell.inactivityTimeout'),
    ...no(l10n.t('outputs are always shortened'), 'tools.shell.enableShellOutputEfficiency'),
    ...yes(l10n.t('all other tools are off; it approves nothing'), 'tools.core'),
    ...yes(l10n.t('from the user and the system; if it names commands, all others ask'), 'tools.allowed'),
    ...yes(l10n.t('these ask in every mode'), 'tools.confirmationRequired'),
    ...yes(l10n.t('these are off; it also takes commands, such as `run_shell_command(rm -rf)`'), 'tools.exclude'),
    ...later(l10n.t('tools come from MCP servers'), ...under('tools', 'discoveryCommand callCommand')),
    ...no(l10n.t('ripgrep ships with Gantry'), 'tools.useRipgrep'),
    ...later(l10n.t('outputs are cut at 40,000 characters'), 'tools.truncateToolOutputThreshold'),
    ...no(l10n.t('edits are never corrected by a model'), 'tools.disableLLMCorrection'),

    ...later(l10n.t('define the server in `mcpServers`'), 'mcp.serverCommand'),
    ...yes(l10n.t('a server must be allowed by all files'), ...under('mcp', 'allowed excluded')),
    ...yes(removesTools, 'useWriteTodos'),

    ...later(l10n.t('`gantry.sandbox.mode` and `--sandbox` decide'), 'security.toolSandboxing'),
    ...yes(l10n.t('the mode cannot be chosen; on the command line exit code 52'), 'security.disableYoloMode'),
    ...yes(l10n.t('only "Allow once" is offered, and saved answers are ignored'), 'security.disableAlwaysAllow'),
    ...later(l10n.t('"Always allow" is offered'), 'security.enablePermanentToolApproval'),
    ...no(l10n.t('Gantry never preselects an answer'), 'security.autoAddToPolicyByDefault'),
    ...yes(l10n.t('see [extensions.md](extensions.md)'), ...under('security', 'blockGitExtensions allowedExtensions')),
    ...no(l10n.t('Workspace Trust of VS Code, or `--trust`'), 'security.folderTrust.enabled'),
    ...later(
      l10n.t('commands get the environment of Gantry without its keys'),
      ...under('security.environmentVariableRedaction', 'allowed blocked enabled'),
    ),
    ...no(l10n.t('`gantry.auth.method`'), ...under('security.auth', 'selectedType useExternal')),
    ...later(l10n.t('`gantry.auth.method` decides'), 'security.auth.enforcedType'),
    ...later(l10n.t('rules and approvals decide'), 'security.enableConseca'),

    ...no(
      l10n.t("about Gemini CLI's own process"),
      ...under('advanced', 'autoConfigureMemory dnsResolutionOrder bugCommand'),
    ),
    ...no(l10n.t('Gantry reads no `.env`'), ...under('advanced', 'excludedEnvVars ignoreLocalEnv')),

    ...no(l10n.t('name the model in `gantry.model.name`'), 'experimental.gemma'),
    ...no(
      terminal,
      'experimental.voiceMode',
      ...under('experimental.voice', 'activationMode backend whisperModel stopGracePeriodMs'),
    ),
    ...no(
      l10n.t("about Gemini CLI's own runtime"),
      ...under(
        'experimental.adk',
        'agentSessionNoninteractiveEnabled agentSessionInteractiveEnabled agentSessionSubagentEnabled',
      ),
    ),
    ...yes(removesTools, 'experimental.enableAgents'),
    ...no(
      l10n.t("about Gemini CLI's own commands"),
      ...under(
        'experimental',
        'worktrees extensionManagement extensionConfig extensionRegistry extensionRegistryURI extensionReloading',
      ),
    ),
    ...no(terminal, ...under('experimental', 'useOSC52Paste useOSC52Copy')),
    ...later(l10n.t('Gantry has no task tracker'), 'experimental.taskTracker'),
    ...no(l10n.t('a message during a run always steers it'), 'experimental.modelSteering'),
    ...no(l10n.t('an experiment of Gemini CLI'), ...under('experimental', 'directWebFetch dynamicModelConfiguration')),
    ...later(
      l10n.t('the lite model rates messages'),
      ...under('experimental.gemmaModelRouter', 'enabled autoStartServer binaryPath'),
      ...under('experimental.gemmaModelRouter.classifier', 'host model'),
    ),
    ...no(
      l10n.t('an experiment of Gemini CLI'),
      ...under(
        'experimental',
        'stressTestProfile autoMemory generalistProfile powerUserProfile contextManagement topicUpdateNarration',
      ),
    ),

    ...no(
      l10n.t('`extension-enablement.json` is read'),
      ...under('extensions', 'disabled workspacesWithMigrationNudge'),
    ),
    ...yes(removesTools, 'skills.enabled'),
    ...yes(l10n.t('these skills are not used'), 'skills.disabled'),
    ...yes(l10n.t('see [hooks.md](hooks.md)'), ...under('hooksConfig', 'enabled disabled')),
    ...no(terminal, 'hooksConfig.notifications'),
    ...yes(
      l10n.t('see [hooks.md](hooks.md)'),
      ...under(
        'hooks',
        'BeforeTool AfterTool BeforeAgent AfterAgent Notification SessionStart SessionEnd PreCompress BeforeModel AfterModel BeforeToolSelection',
      ),
    ),
    ...no(
      l10n.t('Gantry has its own compaction'),
      ...under('contextManagement.historyWindow', 'maxTokens retainedTokens'),
      ...under('contextManagement.messageLimits', 'normalMaxTokens retainedMaxTokens normalizationHeadRatio'),
      ...under('contextManagement.tools.distillation', 'maxOutputTokens summarizationThresholdTokens'),
      ...under(
        'contextManagement.tools.outputMasking',
        'protectionThresholdTokens minPrunableThresholdTokens protectLatestTurn',
      ),
    ),

    ...yes(l10n.t('like `disableYoloMode` and `disableAlwaysAllow`'), 'admin.secureModeEnabled'),
    ...yes(l10n.t('see [extensions.md](extensions.md)'), 'admin.extensions.enabled'),
    ...yes(l10n.t('`false`: no server starts'), 'admin.mcp.enabled'),
    ...later(l10n.t('use `mcp.allowed`'), 'admin.mcp.config'),
    ...later(l10n.t('define the server in `mcpServers`'), 'admin.mcp.requiredConfig'),
    ...yes(removesTools, 'admin.skills.enabled'),
  ];
});
