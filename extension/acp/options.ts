import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk';
import { KNOWN_MODELS } from '../model/catalog/model-names.ts';
import type { ApprovalMode } from '../protocol/agent/approval-mode.ts';

interface ModeText {
  readonly id: ApprovalMode;
  readonly name: string;
  readonly description: string;
}

const MODES: readonly ModeText[] = [
  {
    id: 'default',
    name: 'Ask',
    description: 'Gantry reads and searches. It asks before changes, commands and web pages.',
  },
  { id: 'autoEdit', name: 'Edit', description: 'Gantry edits files and fetches web pages. Commands require approval.' },
  { id: 'plan', name: 'Plan', description: 'Gantry reads, asks and writes a plan. It changes nothing.' },
  {
    id: 'yolo',
    name: 'Run everything',
    description: 'Gantry asks only for protected files and for risky or unclear commands.',
  },
];

export const MODE_OPTION = 'mode';
export const MODEL_OPTION = 'model';

export interface SessionState {
  readonly mode: ApprovalMode;
  /** `auto`, an alias or a model id. */
  readonly model: string;
}

/** For clients that don't know options yet. */
export function modeState({ mode }: Pick<SessionState, 'mode'>): SessionModeState {
  return { currentModeId: mode, availableModes: MODES.map((each) => ({ ...each })) };
}

export function configOptions({ mode, model }: SessionState): SessionConfigOption[] {
  return [
    {
      id: MODE_OPTION,
      name: 'Approval mode',
      description: 'What Gantry may do without asking',
      category: 'mode',
      type: 'select',
      currentValue: mode,
      options: MODES.map(({ id, name, description }) => ({ value: id, name, description })),
    },
    {
      id: MODEL_OPTION,
      name: 'Model',
      category: 'model',
      type: 'select',
      currentValue: model,
      options: [...new Set(['auto', ...KNOWN_MODELS, model])].map((value) => ({
        value,
        name: value === 'auto' ? 'Automatic' : value,
      })),
    },
  ];
}
