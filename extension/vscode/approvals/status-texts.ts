import * as l10n from '@vscode/l10n';
import type { ApprovalMode } from '../../protocol/agent/approval-mode.ts';

export interface StatusFacts {
  /** The number of pending questions. */
  readonly waiting: number;
  /** The number of commands that wait for input. */
  readonly inputs: number;
  readonly running: boolean;
  /** Whether the window is in Restricted Mode. */
  readonly readOnly: boolean;
  /** The other window or program that has the session open. */
  readonly heldBy?: string | undefined;
  readonly mode: ApprovalMode;
  readonly model: string;
  /** How Gantry connects to the model. */
  readonly method?: string | undefined;
}

export interface StatusLook {
  readonly icon: string;
  /** The text in the status bar after the icon. */
  readonly text: string;
  /** The state as a sentence. */
  readonly state: string;
  readonly background: 'warning' | 'error' | undefined;
}

/** The appearance of the status bar item for the state and the approval mode of the session. */
export function statusLook(facts: StatusFacts): StatusLook {
  const { waiting, readOnly, mode, model } = facts;
  const { icon, word, state } = stateOf(facts);
  const yolo = mode === 'yolo' && !readOnly;
  // In Restricted Mode no mode has an effect.
  const words = [word, yolo ? 'YOLO' : readOnly ? '' : mode, model].filter((each) => each !== '');
  return {
    icon: yolo && waiting === 0 && !facts.running ? 'warning' : icon,
    text: `Gantry: ${words.join(' · ')}`,
    state,
    // Yolo mode must not be overlooked, even while a protected file requires approval.
    background: yolo ? 'error' : waiting + facts.inputs > 0 ? 'warning' : undefined,
  };
}

/** The complete status for a screen reader. */
export function spokenStatus(facts: StatusFacts): string {
  return l10n.t('Gantry. {0} Approval mode {1}. Model {2}.', statusLook(facts).state, facts.mode, facts.model);
}

function stateOf({ waiting, inputs, running, readOnly, heldBy }: StatusFacts): {
  readonly icon: string;
  readonly word: string;
  readonly state: string;
} {
  if (waiting > 0) {
    const state = waiting === 1 ? l10n.t('An approval is pending.') : l10n.t('{0} approvals are pending.', waiting);
    return { icon: 'bell-dot', word: l10n.t('needs you ({0})', waiting), state };
  }
  if (inputs > 0) {
    const state =
      inputs === 1 ? l10n.t('A command is waiting for input.') : l10n.t('{0} commands are waiting for input.', inputs);
    return { icon: 'bell-dot', word: l10n.t('waiting for input'), state };
  }
  if (running) return { icon: 'loading~spin', word: l10n.t('working'), state: l10n.t('Working.') };
  if (readOnly) {
    return { icon: 'lock', word: l10n.t('read-only'), state: l10n.t('Read-only, because this folder is not trusted.') };
  }
  if (heldBy !== undefined) {
    return {
      icon: 'lock',
      word: l10n.t('read-only'),
      state: l10n.t('Read-only, because the session is open in {0}.', heldBy),
    };
  }
  return { icon: 'comment-discussion', word: '', state: l10n.t('Ready.') };
}
