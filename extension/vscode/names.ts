import type { AuthMethod, SandboxMode } from '../ports/settings.ts';

/** Every name package.json contributes. A test fails when the two differ. */

export const EXTENSION_ID = 'gantry.gantry';

export const Views = { container: 'gantry', chat: 'gantry.chat' } as const;

/** The type of the webview panel that shows the chat in an editor. */
export const EDITOR_PANEL = 'gantry.chatEditor';

export const Commands = {
  openChat: 'gantry.openChat',
  newSession: 'gantry.newSession',
  resumeSession: 'gantry.resumeSession',
  stop: 'gantry.stop',
  find: 'gantry.find',
  reloadView: 'gantry.reloadView',
  toggleThinking: 'gantry.toggleThinking',
  rewind: 'gantry.rewind',
  undoRewind: 'gantry.undoRewind',
  exportSession: 'gantry.exportSession',
  copyConversation: 'gantry.copyConversation',
  openInEditor: 'gantry.openInEditor',
  openInWindow: 'gantry.openInWindow',
  compress: 'gantry.compress',
  showRequest: 'gantry.showRequest',
  addSelection: 'gantry.addSelection',
  addFile: 'gantry.addFile',
  addFolder: 'gantry.addFolder',
  addTerminalSelection: 'gantry.addTerminalSelection',
  addProblem: 'gantry.addProblem',
  setApiKey: 'gantry.setApiKey',
  signIn: 'gantry.signIn',
  signOut: 'gantry.signOut',
  selectModel: 'gantry.selectModel',
  setApprovalMode: 'gantry.setApprovalMode',
  focusApproval: 'gantry.focusApproval',
  openPolicies: 'gantry.openPolicies',
  tryCommand: 'gantry.tryCommand',
  // Code lenses of the language server.
  tryRule: 'gantry.tryRule',
  acceptPolicyFile: 'gantry.acceptPolicyFile',
  newPolicyRule: 'gantry.newPolicyRule',
  newAgent: 'gantry.newAgent',
  newSkill: 'gantry.newSkill',
  newCommand: 'gantry.newCommand',
  writeRule: 'gantry.writeRule',
  reviewHooks: 'gantry.reviewHooks',
  reviewMcpServers: 'gantry.reviewMcpServers',
  mcpServers: 'gantry.mcpServers',
  reviewAgents: 'gantry.reviewAgents',
  extensions: 'gantry.extensions',
  reviewChanges: 'gantry.reviewChanges',
  acceptChange: 'gantry.acceptChange',
  rejectChange: 'gantry.rejectChange',
  acceptAllChanges: 'gantry.acceptAllChanges',
  rejectAllChanges: 'gantry.rejectAllChanges',
  acceptHunk: 'gantry.acceptHunk',
  rejectHunk: 'gantry.rejectHunk',
  nextChange: 'gantry.nextChange',
  previousChange: 'gantry.previousChange',
  // The same commands with the short titles that a title bar shows.
  titleAccept: 'gantry.title.accept',
  titleReject: 'gantry.title.reject',
  titleAcceptAll: 'gantry.title.acceptAll',
  titleRejectAll: 'gantry.title.rejectAll',
  addComment: 'gantry.addComment',
  deleteComment: 'gantry.deleteComment',
  serveAgent: 'gantry.serveAgent',
  stopServing: 'gantry.stopServing',
  openSettings: 'gantry.openSettings',
  showLog: 'gantry.showLog',
  explainSelection: 'gantry.explainSelection',
  explainFile: 'gantry.explainFile',
  fixProblems: 'gantry.fixProblems',
  generateTests: 'gantry.generateTests',
  newSessionFromFile: 'gantry.newSessionFromFile',
  reviewUncommitted: 'gantry.reviewUncommitted',
  generateCommitMessage: 'gantry.generateCommitMessage',
  stopCommitMessage: 'gantry.stopCommitMessage',
  showSession: 'gantry.showSession',
  fillInput: 'gantry.fillInput',
} as const;

export type Command = (typeof Commands)[keyof typeof Commands];

/** The values of `gantry.auth.method`. */
export const AuthMethods = [
  'auto',
  'apiKey',
  'vertex',
  'adc',
  'google',
  'gateway',
  'offline',
] as const satisfies readonly AuthMethod[];

/** The settings below `gantry.`, each with the type of its value. */
export interface SettingTypes {
  'auth.method': string | undefined;
  'auth.project': string;
  'auth.location': string;
  'auth.headers': Record<string, string>;
  'auth.clientId': string;
  'auth.clientSecret': string;
  'auth.authorizationUrl': string;
  'auth.tokenUrl': string;
  'model.name': string;
  'model.baseUrl': string;
  'model.prices': Record<string, unknown>;
  'model.generation': Record<string, unknown>;
  'model.configs': Record<string, unknown>;
  'model.maxAttempts': number;
  'model.loopDetection': boolean;
  approvalMode: string;
  'approvals.timeoutMinutes': number;
  'policy.paths': string[];
  'context.editor': boolean;
  'context.environment': boolean;
  'context.fileNames': string[];
  'context.compressionThreshold': number;
  'sandbox.mode': SandboxMode;
  'sandbox.autoAllow': boolean;
  'sandbox.folders': string[];
  'sandbox.network': string[];
  'mcp.servers': Record<string, unknown>;
  'safety.redactSecrets': boolean;
  'telemetry.otlpEndpoint': string;
  'telemetry.headers': Record<string, string>;
  'session.maxTurns': number;
  'session.maxMinutes': number;
  'session.maxTokens': number;
  'session.maxCost': number;
  'session.total': Record<string, number>;
  'session.keepDays': number;
  'session.keepCount': number;
  'notifications.longRun': number;
  'review.openDiff': string;
  'input.sendKey': string;
  'chat.thinking': string;
  'terminal.addToPath': boolean;
}

export type Setting = keyof SettingTypes;

export const Settings = {
  authMethod: 'auth.method',
  authProject: 'auth.project',
  authLocation: 'auth.location',
  authHeaders: 'auth.headers',
  authClientId: 'auth.clientId',
  authClientSecret: 'auth.clientSecret',
  authPage: 'auth.authorizationUrl',
  authTokens: 'auth.tokenUrl',
  modelName: 'model.name',
  baseUrl: 'model.baseUrl',
  prices: 'model.prices',
  generation: 'model.generation',
  modelConfigs: 'model.configs',
  maxAttempts: 'model.maxAttempts',
  loopDetection: 'model.loopDetection',
  approvalMode: 'approvalMode',
  approvalTimeout: 'approvals.timeoutMinutes',
  policyPaths: 'policy.paths',
  sandboxMode: 'sandbox.mode',
  sandboxAutoAllow: 'sandbox.autoAllow',
  sandboxFolders: 'sandbox.folders',
  sandboxNetwork: 'sandbox.network',
  mcpServers: 'mcp.servers',
  redactSecrets: 'safety.redactSecrets',
  telemetryEndpoint: 'telemetry.otlpEndpoint',
  telemetryHeaders: 'telemetry.headers',
  contextEditor: 'context.editor',
  contextEnvironment: 'context.environment',
  contextFileNames: 'context.fileNames',
  compressionThreshold: 'context.compressionThreshold',
  maxTurns: 'session.maxTurns',
  maxMinutes: 'session.maxMinutes',
  maxTokens: 'session.maxTokens',
  maxCost: 'session.maxCost',
  sessionTotal: 'session.total',
  keepDays: 'session.keepDays',
  keepCount: 'session.keepCount',
  longRun: 'notifications.longRun',
  openDiff: 'review.openDiff',
  sendKey: 'input.sendKey',
  thinking: 'chat.thinking',
  addToPath: 'terminal.addToPath',
} as const satisfies Record<string, Setting>;

export const ContextKeys = {
  running: 'gantry.running',
  hasConversation: 'gantry.hasConversation',
  canUndoRewind: 'gantry.canUndoRewind',
  writingCommit: 'gantry.writingCommitMessage',
  edited: 'gantry.edited',
  ranCommand: 'gantry.ranCommand',
  /** Whether changes are pending review. */
  hasChanges: 'gantry.hasChanges',
  hasSeveralChanges: 'gantry.hasSeveralChanges',
  /** Whether the active editor shows a change that is pending review. */
  reviewing: 'gantry.reviewing',
  reviewingAll: 'gantry.reviewingAll',
  /** The addresses of documents with changes that are pending review. */
  reviewed: 'gantry.reviewed',
  needsYou: 'gantry.needsYou',
  /** Whether programs can use the sessions of the window over A2A. */
  serving: 'gantry.serving',
} as const;

export type ContextKey = (typeof ContextKeys)[keyof typeof ContextKeys];

/** The chat participants in VS Code's own chat. */
export const ChatParticipants = { gantry: 'gantry.chat' } as const;

/** The tools that models in VS Code's own chat can call. */
export const ModelTools = { ask: 'gantry_ask', sessions: 'gantry_sessions' } as const;

/** VS Code's own commands that Gantry calls. */
export const BuiltIn = {
  copyTerminalSelection: 'workbench.action.terminal.copySelection',
  copyLastCommand: 'workbench.action.terminal.copyLastCommandAndLastCommandOutput',
  focusChat: `${Views.chat}.focus`,
  hideNotifications: 'notifications.hideToasts',
  manageTrust: 'workbench.trust.manage',
  diff: 'vscode.diff',
  openChanges: 'vscode.changes',
  moveToWindow: 'workbench.action.moveEditorToNewWindow',
  reloadWindow: 'workbench.action.reloadWindow',
  openSettings: 'workbench.action.openSettings',
  addFolder: 'workbench.action.addRootFolder',
  openFolder: 'vscode.openFolder',
  openExtension: 'extension.open',
  selectTheme: 'workbench.action.selectTheme',
  setContext: 'setContext',
} as const;

/** The arguments of a command depend on where it was called from. */
export type CommandBody = (...args: unknown[]) => unknown;
