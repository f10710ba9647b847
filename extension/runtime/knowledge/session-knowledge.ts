import { homedir } from 'node:os';
import type { Event } from '@google/adk';
import { InstructionProvider } from '../../context/instruction/instruction-provider.ts';
import { type OwnInstruction, OwnInstructionFile } from '../../context/instruction/own-instruction.ts';
import { writeInstruction } from '../../context/instruction/write-instruction.ts';
import { SessionMemory } from '../../context/memory/session-memory.ts';
import type { DiskView } from '../../files/disk-view.ts';
import { contains } from '../../files/real-path.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Host } from '../../ports/host.ts';
import type { Tool } from '../../ports/tool.ts';
import type { Problem } from '../../protocol/agent/problem.ts';
import type { SessionJournal } from '../../sessions/session-journal.ts';
import type { RecordOf } from '../../sessions/session-record.ts';
import type { SessionSkills } from '../../skills/session-skills.ts';
import { touchedPaths } from '../../tools/call-arguments.ts';
import type { SkillSummary } from '../../tools/conversation/activate-skill.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import type { Subagent } from '../agents/subagent.ts';
import type { SessionModel } from '../model/session-model.ts';
import type { SessionMode } from '../policy/session-mode.ts';
import { extensionProblem, skillProblem } from '../problems/file-problems.ts';
import { instructionProblem } from '../problems/session-problems.ts';
import type { SharedParts } from '../session-parts.ts';
import type { CallTraces } from './call-traces.ts';
import { knowledgeNotes } from './knowledge-notes.ts';

export interface KnowledgeParts {
  readonly shared: Pick<
    SharedParts,
    'host' | 'memory' | 'skills' | 'hooks' | 'extensions' | 'mcp' | 'agents' | 'geminiSettings'
  >;
  readonly warn: (problem: Problem) => void;
  readonly journal: SessionJournal;
  readonly mode: SessionMode;
  readonly model: Pick<SessionModel, 'chosen'>;
  readonly registry: Pick<ToolRegistry, 'get' | 'offered'>;
  readonly skills: SessionSkills;
  readonly traces: CallTraces;
  /** The agent whose session it is; undefined for the main agent. */
  readonly subagent: Subagent | undefined;
}

/**
 * What a session knows besides the conversation: instructions, skills, the approved plan, and the folders its tools
 * used.
 */
export class SessionKnowledge {
  readonly memory: SessionMemory;
  readonly skills: SessionSkills;
  readonly instruction: InstructionProvider;
  private readonly ownFile: OwnInstructionFile;
  private offered: { readonly tools: readonly Tool[]; readonly names: readonly string[] } = { tools: [], names: [] };
  private told: string | undefined;
  private isWritten = false;

  constructor(private readonly parts: KnowledgeParts) {
    const { shared, journal, mode, model, traces } = parts;
    this.skills = parts.skills;
    this.memory = new SessionMemory(shared.memory, () => mode.opened);
    this.ownFile = new OwnInstructionFile(this.variables);
    this.instruction = new InstructionProvider({
      workspace: () => mode.opened,
      session: mode,
      // A session that works for another one has no user of its own to ask.
      isInteractive: shared.host.sessions.interactive && journal.header.parent === undefined,
      approvedPlan: () => traces.approvedPlan,
      hasHooks: () => shared.hooks.groups.length > 0,
      tools: () => this.toolNames(),
      model: () => model.chosen,
      memory: this.memory,
      disk: {
        now: () => shared.host.clock.now(),
        // The extension host must not wait for a slow network drive. The command line has nothing else to do.
        mayWaitFor: (path) =>
          !shared.host.sessions.interactive || !mode.opened.roots().some((root) => contains(root, path)),
      },
      settings: (view) => shared.geminiSettings.refresh(view),
      skills: (view) => this.lookAtSkills(view),
      own: (view) => this.lookAtOwn(view),
      agents: () => shared.agents.agents(),
      further: [() => shared.mcp.instructions],
    });
    journal.onRecord((record) => {
      if (record.type === 'tool_finished' && record.state === 'success') this.follow(record);
    });
  }

  /** Notes about what the model has to know and the instruction does not say. */
  notes(): Event[] {
    const { shared, journal, mode, subagent } = this.parts;
    return knowledgeNotes({
      history: journal.history,
      mode,
      memory: this.memory,
      isInteractive: shared.host.sessions.interactive && !subagent,
      hasMemory: !subagent || subagent.definition.prompt === 'main',
    });
  }

  private toolNames(): readonly string[] {
    const { registry, mode } = this.parts;
    const tools = registry.offered(mode.opened, mode.mode());
    if (tools !== this.offered.tools) this.offered = { tools, names: tools.map(({ name }) => name) };
    return this.offered.names;
  }

  private async lookAtSkills(view: DiskView): Promise<readonly SkillSummary[]> {
    const { shared, warn } = this.parts;
    const skills = await this.skills.refresh(view);
    const problems = shared.skills.untold();
    if (problems.length > 0) warn(skillProblem(problems));
    const news = shared.extensions.takeNews();
    if (news.length > 0) warn(extensionProblem(news));
    return skills;
  }

  private async lookAtOwn(view: DiskView): Promise<OwnInstruction | undefined> {
    const { mode, journal } = this.parts;
    if (!this.isWritten && journal.header.parent === undefined) {
      this.isWritten = true;
      this.warnOnce(await writeInstruction(this.instruction.general, this.variables, mode.opened));
    }
    const read = await this.ownFile.read(mode.opened, view);
    this.warnOnce(read && 'problem' in read ? read.problem : undefined);
    return read && 'own' in read ? read.own : undefined;
  }

  private warnOnce(problem: string | undefined): void {
    const known = this.told;
    this.told = problem;
    if (problem !== undefined && problem !== known) this.parts.warn(instructionProblem(problem));
  }

  private get variables(): { readonly environment: Host['environment']; readonly home: string } {
    return { environment: this.parts.shared.host.environment, home: homedir() };
  }

  /** Loads the instructions of folders that a tool has accessed. */
  private follow({ call: { name, args } }: RecordOf<'tool_finished'>): void {
    for (const { path } of touchedPaths(this.parts.registry.get(name), args)) this.memory.touch(path);
  }
}

interface InstructionParts {
  readonly knowledge: Pick<SessionKnowledge, 'instruction'>;
  readonly mode: SessionMode;
  readonly model: SessionModel;
  readonly clock: Clock;
  readonly subagent: Subagent | undefined;
}

/** The system instruction of one session. */
export interface SessionInstruction {
  /** The instruction for the next request. Reads files again that changed on disk. */
  next(): Promise<string>;
  /** The instruction of the last request, adapted to the current mode. */
  current(): string;
}

export function sessionInstruction({ knowledge, mode, model, clock, subagent }: InstructionParts): SessionInstruction {
  const { instruction } = knowledge;
  if (!subagent) return instruction;
  const told = (main: string): string => {
    const values = { today: new Date(clock.now()).toDateString(), activeModel: model.current };
    return subagent.instruction({ main, roots: mode.opened.roots(), mode: mode.mode(), values });
  };
  return { next: async () => told(await instruction.next()), current: () => told(instruction.current()) };
}
