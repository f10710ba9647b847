import * as l10n from '@vscode/l10n';
import type { ProblemAction } from '../../extension/protocol/agent/problem.ts';
import type { ToHost } from '../../extension/protocol/panel/host-messages.ts';
import type { Entry } from '../../extension/protocol/transcript/transcript-entry.ts';
import type { IconName } from '../base/icons.ts';

type Problem = Extract<Entry, { kind: 'problem' }>['problem'];

interface Action {
  label(): string;
  readonly message: ToHost;
  /** True for an action that never solves the problem; it is drawn as a link. */
  readonly aside?: boolean;
  /** True if the action continues the run. */
  readonly goesOn?: boolean;
}

const ACTIONS: Readonly<Record<ProblemAction, Action>> = {
  retry: { label: () => l10n.t('Retry'), message: { type: 'retry' }, goesOn: true },
  'retry-from-here': { label: () => l10n.t('Retry from here'), message: { type: 'retry' }, goesOn: true },
  compress: { label: () => l10n.t('Compress'), message: { type: 'compress' } },
  'new-session': { label: () => l10n.t('New session'), message: { type: 'newSession' } },
  'open-copy': { label: () => l10n.t('Open a copy'), message: { type: 'openCopy' } },
  'set-api-key': { label: () => l10n.t('Set API key'), message: { type: 'setApiKey' } },
  'sign-in': { label: () => l10n.t('Sign in'), message: { type: 'signIn' } },
  'switch-model': { label: () => l10n.t('Switch model'), message: { type: 'selectModel' } },
  'open-settings': { label: () => l10n.t('Open settings'), message: { type: 'openSettings' } },
  'review-hooks': { label: () => l10n.t('Review hooks'), message: { type: 'reviewHooks' } },
  'review-mcp-servers': { label: () => l10n.t('Review MCP servers'), message: { type: 'reviewMcpServers' } },
  'review-agents': { label: () => l10n.t('Review agents'), message: { type: 'reviewAgents' } },
  'open-policies': { label: () => l10n.t('Open policies'), message: { type: 'openPolicies' } },
  'keep-going': { label: () => l10n.t('Keep going'), message: { type: 'continue' }, goesOn: true },
  'stop-detecting': {
    label: () => l10n.t('Turn off loop detection'),
    message: { type: 'turnOffLoopDetection' },
    goesOn: true,
  },
  'show-log': { label: () => l10n.t('Show log'), message: { type: 'showLog' }, aside: true },
};

interface ProblemButton {
  readonly label: string;
  readonly message: ToHost;
  readonly style: 'primary' | 'secondary' | 'link';
}

/**
 * The buttons of a problem in order: one primary button, and the log last. A running turn needs no button to continue.
 */
export function problemButtons(problem: Problem, running: boolean): readonly ProblemButton[] {
  const actions = problem.actions.map((action) => ACTIONS[action]).filter(({ goesOn }) => !(running && goesOn));
  const main = actions.filter((action) => !action.aside);
  const button = ({ label, message }: Action, style: ProblemButton['style']): ProblemButton => ({
    label: label(),
    message,
    style,
  });
  return [
    ...main.map((action, index) => button(action, index === 0 ? 'primary' : 'secondary')),
    ...actions.filter((action) => action.aside).map((action) => button(action, 'link')),
  ];
}

interface ProblemLook {
  readonly icon: IconName;
  readonly tone: 'error' | 'warning';
}

/** The kinds are defined in protocol/agent/problem.ts. Kinds that are not listed look like any error. */
const LOOKS: Readonly<Record<string, ProblemLook>> = {
  'no-credential': { icon: 'key', tone: 'warning' },
  'bad-credential': { icon: 'key', tone: 'error' },
  forbidden: { icon: 'key', tone: 'error' },
  'bad-configuration': { icon: 'settings-gear', tone: 'error' },
  'context-full': { icon: 'warning', tone: 'warning' },
  quota: { icon: 'clockface', tone: 'warning' },
  unreachable: { icon: 'debug-disconnect', tone: 'error' },
  'not-gemini': { icon: 'debug-disconnect', tone: 'error' },
  'stream-cut': { icon: 'debug-disconnect', tone: 'error' },
  'bad-stream': { icon: 'debug-disconnect', tone: 'error' },
  'empty-answer': { icon: 'warning', tone: 'warning' },
  'blocked-by-hook': { icon: 'warning', tone: 'warning' },
  hook: { icon: 'warning', tone: 'warning' },
  waits: { icon: 'shield', tone: 'warning' },
  loop: { icon: 'warning', tone: 'warning' },
  'not-saved': { icon: 'save', tone: 'warning' },
  'log-damaged': { icon: 'warning', tone: 'warning' },
  'session-locked': { icon: 'lock', tone: 'warning' },
  'session-unreadable': { icon: 'warning', tone: 'warning' },
};

export function problemLook(kind: string): ProblemLook {
  return LOOKS[kind] ?? { icon: 'error', tone: 'error' };
}
