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

const TERMINAL = 'about the terminal interface of Gemini CLI';
const VSCODE = 'VS Code has its own setting';
const SWITCH = '`false` removes its tools';

/** Every key of Gemini CLI's settings schema, in its order. `docs/gemini-cli.md` is generated from this list. */
export const SETTING_KEYS: readonly SettingKey[] = [
  ...no('for editors only', '$schema'),
  ...yes('see [mcp.md](mcp.md); `trust` of a folder is ignored', 'mcpServers'),
  ...later('use `gantry.policy.paths` or `--policy`', 'policyPaths'),
  ...later('`/etc/gemini-cli/policies` is read', 'adminPolicyPaths'),

  ...no(VSCODE, ...under('general', 'preferredEditor openEditorInNewWindow vimMode')),
  ...yes('on the command line; in the panel `gantry.approvalMode`', 'general.defaultApprovalMode'),
  ...no(TERMINAL, ...under('general', 'devtools enableAutoUpdate enableAutoUpdateNotification debugKeystrokeLogging')),
  ...no("Gantry uses VS Code's notifications", ...under('general', 'enableNotifications notificationMethod')),
  ...no('files can always be restored', 'general.checkpointing.enabled'),
  ...yes('`false` removes plan mode', 'general.plan.enabled'),
  ...no('plans are kept with the conversation', 'general.plan.directory'),
  ...later('plans always go to the strong model', 'general.plan.modelRouting'),
  ...later('failed requests are always retried', 'general.retryFetchErrors'),
  ...later('`gantry.model.maxAttempts`, or `GANTRY_MAX_ATTEMPTS`', 'general.maxAttempts'),
  ...no('Gantry has its own setting', ...under('general.sessionRetention', 'enabled maxAge maxCount minRetention')),
  ...no('about the way Gemini CLI reports its work', 'general.topicUpdateNarration'),
  ...no('for a Google service that Gantry does not use', 'general.logRagSnippets'),
  ...later('use `--output`', 'output.format'),

  ...no(
    TERMINAL,
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
  ...no('Gantry runs in the editor', ...under('ide', 'enabled hasSeenNudge')),
  ...no('Gantry collects none', 'privacy.usageStatisticsEnabled'),
  ...later('`gantry.telemetry.otlpEndpoint` and `--otlp` name the receiver', 'telemetry'),
  ...no('credits of a Google login', 'billing.overageStrategy'),
  ...later('headers of Vertex AI', ...under('billing.vertexAi', 'requestType sharedRequestType')),

  ...yes('on the command line; in the panel `gantry.model.name`', 'model.name'),
  ...yes(
    'on the command line, a folder can only lower it; in the panel `gantry.session.maxTurns`',
    'model.maxSessionTurns',
  ),
  ...later('long outputs are cut and kept in a file', 'model.summarizeToolOutput'),
  ...later('`gantry.context.compressionThreshold`', 'model.compressionThreshold'),
  ...later('`gantry.model.loopDetection`', 'model.disableLoopDetection'),
  ...no('Gantry has no such check', 'model.skipNextSpeakerCheck'),
  ...yes(
    'on the command line, but not from a folder',
    ...under('modelConfigs', 'aliases customAliases customOverrides overrides'),
  ),
  ...later(
    'the known models are built in',
    ...under('modelConfigs', 'modelDefinitions modelIdResolutions classifierIdResolutions modelChains'),
  ),

  ...yes('see [agents.md](agents.md)', 'agents.overrides'),
  ...no(
    'Gantry has no browser agent',
    ...under(
      'agents.browser',
      'sessionMode headless profilePath visualModel allowedDomains disableUserInput maxActionsPerTask confirmSensitiveActions blockFileUploads',
    ),
  ),

  ...yes('see [instructions.md](instructions.md)', 'context.fileName'),
  ...no('imports are always inserted', 'context.importFormat'),
  ...no('the agent lists folders itself', 'context.includeDirectoryTree'),
  ...no('Gantry has its own limits', 'context.discoveryMaxDirs'),
  ...later('the search ends at the root of the repository', 'context.memoryBoundaryMarkers'),
  ...later('add the folder to the workspace', 'context.includeDirectories'),
  ...no('all folders of a workspace are searched', 'context.loadMemoryFromIncludeDirectories'),
  ...later(
    'always applied; `false` has no effect',
    ...under('context.fileFiltering', 'respectGitIgnore respectGeminiIgnore'),
  ),
  ...no(
    'the list of files is always kept current',
    ...under('context.fileFiltering', 'enableFileWatcher enableRecursiveFileSearch enableFuzzySearch'),
  ),
  ...later('`.gitignore` and `.geminiignore` are read', 'context.fileFiltering.customIgnoreFilePaths'),

  ...later(
    '`gantry.sandbox.mode` and `--sandbox` decide',
    ...under('tools', 'sandbox sandboxAllowedPaths sandboxNetworkAccess'),
  ),
  ...no('commands always run on a terminal', 'tools.shell.enableInteractiveShell'),
  ...no('the model is told when a command ends', 'tools.shell.backgroundCompletionBehavior'),
  ...no(TERMINAL, ...under('tools.shell', 'pager showColor')),
  ...later('a command without output keeps running', 'tools.shell.inactivityTimeout'),
  ...no('outputs are always shortened', 'tools.shell.enableShellOutputEfficiency'),
  ...yes('all other tools are off; it approves nothing', 'tools.core'),
  ...yes('from the user and the system; if it names commands, all others ask', 'tools.allowed'),
  ...yes('these ask in every mode', 'tools.confirmationRequired'),
  ...yes('these are off; it also takes commands, such as `run_shell_command(rm -rf)`', 'tools.exclude'),
  ...later('tools come from MCP servers', ...under('tools', 'discoveryCommand callCommand')),
  ...no('ripgrep ships with Gantry', 'tools.useRipgrep'),
  ...later('outputs are cut at 40,000 characters', 'tools.truncateToolOutputThreshold'),
  ...no('edits are never corrected by a model', 'tools.disableLLMCorrection'),

  ...later('define the server in `mcpServers`', 'mcp.serverCommand'),
  ...yes('a server must be allowed by all files', ...under('mcp', 'allowed excluded')),
  ...yes(SWITCH, 'useWriteTodos'),

  ...later('`gantry.sandbox.mode` and `--sandbox` decide', 'security.toolSandboxing'),
  ...yes('the mode cannot be chosen; on the command line exit code 52', 'security.disableYoloMode'),
  ...yes('only "Allow once" is offered, and saved answers are ignored', 'security.disableAlwaysAllow'),
  ...later('"Always allow" is offered', 'security.enablePermanentToolApproval'),
  ...no('Gantry never preselects an answer', 'security.autoAddToPolicyByDefault'),
  ...yes('see [extensions.md](extensions.md)', ...under('security', 'blockGitExtensions allowedExtensions')),
  ...no('Workspace Trust of VS Code, or `--trust`', 'security.folderTrust.enabled'),
  ...later(
    'commands get the environment of Gantry without its keys',
    ...under('security.environmentVariableRedaction', 'allowed blocked enabled'),
  ),
  ...no('`gantry.auth.method`', ...under('security.auth', 'selectedType useExternal')),
  ...later('`gantry.auth.method` decides', 'security.auth.enforcedType'),
  ...later('rules and approvals decide', 'security.enableConseca'),

  ...no("about Gemini CLI's own process", ...under('advanced', 'autoConfigureMemory dnsResolutionOrder bugCommand')),
  ...no('Gantry reads no `.env`', ...under('advanced', 'excludedEnvVars ignoreLocalEnv')),

  ...no('name the model in `gantry.model.name`', 'experimental.gemma'),
  ...no(
    TERMINAL,
    'experimental.voiceMode',
    ...under('experimental.voice', 'activationMode backend whisperModel stopGracePeriodMs'),
  ),
  ...no(
    "about Gemini CLI's own runtime",
    ...under(
      'experimental.adk',
      'agentSessionNoninteractiveEnabled agentSessionInteractiveEnabled agentSessionSubagentEnabled',
    ),
  ),
  ...yes(SWITCH, 'experimental.enableAgents'),
  ...no(
    "about Gemini CLI's own commands",
    ...under(
      'experimental',
      'worktrees extensionManagement extensionConfig extensionRegistry extensionRegistryURI extensionReloading',
    ),
  ),
  ...no(TERMINAL, ...under('experimental', 'useOSC52Paste useOSC52Copy')),
  ...later('Gantry has no task tracker', 'experimental.taskTracker'),
  ...no('a message during a run always steers it', 'experimental.modelSteering'),
  ...no('an experiment of Gemini CLI', ...under('experimental', 'directWebFetch dynamicModelConfiguration')),
  ...later(
    'the lite model rates messages',
    ...under('experimental.gemmaModelRouter', 'enabled autoStartServer binaryPath'),
    ...under('experimental.gemmaModelRouter.classifier', 'host model'),
  ),
  ...no(
    'an experiment of Gemini CLI',
    ...under(
      'experimental',
      'stressTestProfile autoMemory generalistProfile powerUserProfile contextManagement topicUpdateNarration',
    ),
  ),

  ...no('`extension-enablement.json` is read', ...under('extensions', 'disabled workspacesWithMigrationNudge')),
  ...yes(SWITCH, 'skills.enabled'),
  ...yes('these skills are not used', 'skills.disabled'),
  ...yes('see [hooks.md](hooks.md)', ...under('hooksConfig', 'enabled disabled')),
  ...no(TERMINAL, 'hooksConfig.notifications'),
  ...yes(
    'see [hooks.md](hooks.md)',
    ...under(
      'hooks',
      'BeforeTool AfterTool BeforeAgent AfterAgent Notification SessionStart SessionEnd PreCompress BeforeModel AfterModel BeforeToolSelection',
    ),
  ),
  ...no(
    'Gantry has its own compaction',
    ...under('contextManagement.historyWindow', 'maxTokens retainedTokens'),
    ...under('contextManagement.messageLimits', 'normalMaxTokens retainedMaxTokens normalizationHeadRatio'),
    ...under('contextManagement.tools.distillation', 'maxOutputTokens summarizationThresholdTokens'),
    ...under(
      'contextManagement.tools.outputMasking',
      'protectionThresholdTokens minPrunableThresholdTokens protectLatestTurn',
    ),
  ),

  ...yes('like `disableYoloMode` and `disableAlwaysAllow`', 'admin.secureModeEnabled'),
  ...yes('see [extensions.md](extensions.md)', 'admin.extensions.enabled'),
  ...yes('`false`: no server starts', 'admin.mcp.enabled'),
  ...later('use `mcp.allowed`', 'admin.mcp.config'),
  ...later('define the server in `mcpServers`', 'admin.mcp.requiredConfig'),
  ...yes(SWITCH, 'admin.skills.enabled'),
];
