import type { AuthMethod } from '../runtime/host.ts';

/** Every name package.json contributes. A test fails when the two differ. */

export const EXTENSION_ID = 'gantry.gantry';

export const Views = { container: 'gantry', chat: 'gantry.chat' } as const;

export const Commands = {
  openChat: 'gantry.openChat',
  newSession: 'gantry.newSession',
  resumeSession: 'gantry.resumeSession',
  stop: 'gantry.stop',
  rewind: 'gantry.rewind',
  undoRewind: 'gantry.undoRewind',
  exportSession: 'gantry.exportSession',
  setApiKey: 'gantry.setApiKey',
  selectModel: 'gantry.selectModel',
  setApprovalMode: 'gantry.setApprovalMode',
  focusApproval: 'gantry.focusApproval',
  openPolicies: 'gantry.openPolicies',
  reviewHooks: 'gantry.reviewHooks',
  openSettings: 'gantry.openSettings',
  showLog: 'gantry.showLog',
} as const;

export type Command = (typeof Commands)[keyof typeof Commands];

/** The values `gantry.auth.method` may have. */
export const AuthMethods = ['auto', 'apiKey', 'gateway', 'offline'] as const satisfies readonly AuthMethod[];

/** Keys below `gantry.`, each with the type of its value. */
export interface SettingTypes {
  'auth.method': string;
  'model.name': string;
  'model.baseUrl': string;
  'model.prices': Record<string, unknown>;
  approvalMode: string;
  'policy.paths': string[];
  'session.maxTurns': number;
  'session.maxMinutes': number;
  'session.maxTokens': number;
  'session.maxCost': number;
  'session.total': Record<string, number>;
  'session.keepDays': number;
  'session.keepCount': number;
}

export type Setting = keyof SettingTypes;

export const Settings = {
  authMethod: 'auth.method',
  modelName: 'model.name',
  baseUrl: 'model.baseUrl',
  prices: 'model.prices',
  approvalMode: 'approvalMode',
  policyPaths: 'policy.paths',
  maxTurns: 'session.maxTurns',
  maxMinutes: 'session.maxMinutes',
  maxTokens: 'session.maxTokens',
  maxCost: 'session.maxCost',
  sessionTotal: 'session.total',
  keepDays: 'session.keepDays',
  keepCount: 'session.keepCount',
} as const satisfies Record<string, Setting>;

export const ContextKeys = {
  running: 'gantry.running',
  hasConversation: 'gantry.hasConversation',
  canUndoRewind: 'gantry.canUndoRewind',
  needsYou: 'gantry.needsYou',
} as const;

export type ContextKey = (typeof ContextKeys)[keyof typeof ContextKeys];

/** Commands of VS Code itself that we call. */
export const BuiltIn = {
  focusChat: `${Views.chat}.focus`,
  hideNotifications: 'notifications.hideToasts',
  manageTrust: 'workbench.trust.manage',
  openSettings: 'workbench.action.openSettings',
  setContext: 'setContext',
} as const;
