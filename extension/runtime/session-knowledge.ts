import { InstructionProvider } from '../context/instruction/instruction-provider.ts';
import { SessionMemory } from '../context/memory/session-memory.ts';
import type { SessionJournal } from '../sessions/session-journal.ts';
import type { RecordOf } from '../sessions/session-record.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import { CallTraces } from './call-traces.ts';
import type { SessionMode } from './session-mode.ts';
import type { SharedParts } from './session-parts.ts';

export interface KnowledgeParts {
  readonly shared: Pick<SharedParts, 'host' | 'memory' | 'hooks'>;
  readonly journal: SessionJournal;
  readonly mode: SessionMode;
  readonly registry: () => Pick<ToolRegistry, 'get'>;
  /** Sections of the instruction that other parts bring along. */
  readonly further?: readonly (() => string | undefined)[];
}

/** What one session knows besides what was said: instructions, the plan that was approved, where its tools have been. */
export class SessionKnowledge {
  readonly memory: SessionMemory;
  readonly instruction: InstructionProvider;
  private readonly traces: CallTraces;

  constructor(private readonly parts: KnowledgeParts) {
    const { shared, journal, mode, further } = parts;
    this.traces = new CallTraces(journal.history);
    this.memory = new SessionMemory(shared.memory, () => mode.opened);
    this.instruction = new InstructionProvider({
      workspace: () => mode.opened,
      session: mode,
      // Nobody looks at the questions of a session that works for another one.
      isInteractive: shared.host.sessions.interactive && journal.header.parent === undefined,
      approvedPlan: () => this.traces.approvedPlan,
      hasHooks: () => shared.hooks.groups.length > 0,
      memory: this.memory,
      ...(further && { further }),
    });
    journal.onRecord((record) => {
      this.traces.take(record);
      if (record.type === 'tool_finished' && record.state === 'success') this.follow(record);
    });
  }

  /** Instructions of a folder count once a tool was there. */
  private follow({ call: { name, args } }: RecordOf<'tool_finished'>): void {
    const tool = this.parts.registry().get(name);
    const parsed = tool?.schema.safeParse(args);
    if (!tool?.touches || !parsed?.success) return;
    for (const { path } of tool.touches(parsed.data)) this.memory.touch(path);
  }
}
