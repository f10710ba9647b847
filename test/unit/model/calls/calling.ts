import type { Content, GenerateContentConfig } from '@google/genai';
import { ModelAvailability } from '../../../../extension/model/calls/model-availability.ts';
import type {
  CallEvent,
  ModelCall,
  SwitchAnswer,
  SwitchQuestion,
} from '../../../../extension/model/calls/model-call.ts';
import { ModelCalls } from '../../../../extension/model/calls/model-calls.ts';
import { requestConfigFor } from '../../../../extension/model/catalog/request-config.ts';
import type { ModelConfigs } from '../../../../extension/model/model-key.ts';
import { problemOf } from '../../../../extension/model/model-problem.ts';
import { generatorAt, userSays } from '../asking.ts';

export const FLASH = 'gemini-3.8-flash';
export const PRO = 'gemini-3.1-pro-preview';
export const LITE = 'gemini-3.5-flash-lite';
/** In no chain. */
export const ALONE = 'gemini-3.7-flash';

export interface Asking {
  readonly model?: string;
  readonly contents?: Content[];
  readonly config?: GenerateContentConfig;
  readonly auto?: boolean;
  readonly silent?: boolean;
  readonly isChat?: boolean;
  readonly active?: string;
  readonly attempts?: number;
  readonly deadline?: number;
  readonly signal?: AbortSignal;
  readonly answers?: SwitchAnswer[];
}

/** Models behind an endpoint, a clock that only waits move, and a user who answers what they are told to. */
export class Caller {
  now = 1_000_000;
  readonly health = new ModelAvailability(() => this.now);
  readonly waits: number[] = [];
  readonly questions: SwitchQuestion[] = [];
  maxAttempts = 10;
  /** Called at the beginning of every wait. */
  onPause: () => void = () => undefined;
  readonly calls: ModelCalls;

  constructor(url: string, configs: ModelConfigs = PLAIN) {
    const generator = generatorAt(url);
    this.calls = new ModelCalls({
      configs,
      models: { resolve: (model) => Promise.resolve({ model, label: model, generator }) },
      health: this.health,
      now: () => this.now,
      pause: async (ms) => {
        this.waits.push(ms);
        this.onPause();
        this.now += ms;
      },
      random: () => 0.5,
      maxAttempts: () => this.maxAttempts,
    });
  }

  /** One line per event, and how it ended. */
  async stream(asking: Asking = {}): Promise<string[]> {
    const lines: string[] = [];
    try {
      for await (const event of this.calls.stream(this.call(asking), asking.signal ?? NEVER)) lines.push(line(event));
    } catch (error) {
      lines.push(error instanceof DOMException ? 'aborted' : `failed: ${problemOf(error).kind}`);
    }
    return lines;
  }

  call({ model = FLASH, contents = [userSays('Hi')], config = {}, ...asking }: Asking): ModelCall {
    const { auto = false, silent = false, isChat = true, active, answers = [], attempts, deadline } = asking;
    return {
      key: { model, isChat },
      contents,
      config: (chosen) => requestConfigFor(config, chosen),
      switching: {
        auto,
        silent: () => silent,
        ask: async (question) => {
          this.questions.push(question);
          return answers.shift() ?? 'stop';
        },
        ...(active !== undefined && { active }),
      },
      ...(attempts !== undefined && { attempts }),
      ...(deadline !== undefined && { deadline }),
    };
  }
}

export const NEVER = new AbortController().signal;

const PLAIN: ModelConfigs = { resolve: ({ model }) => ({ model, config: {} }) };

function line(event: CallEvent): string {
  switch (event.type) {
    case 'attempt':
      return `ask ${event.resolved.model}`;
    case 'chunk':
      return `said ${event.chunk.candidates?.[0]?.content?.parts?.map(({ text }) => text).join('') ?? ''}`;
    case 'waiting':
      return `wait ${Math.round(event.ms)} for ${event.attempt}/${event.of}`;
    case 'switched':
      return `${event.from} -> ${event.to}${event.chosen ? ' for good' : ''}`;
    case 'done':
      return `done ${event.model} ${event.attempts}`;
    case 'retracted':
      return 'retracted';
  }
}
