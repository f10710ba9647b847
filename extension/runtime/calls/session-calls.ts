import { randomUUID } from 'node:crypto';
import type { AuditEntry, AuditLog } from '../../policy/audit/audit-log.ts';
import { gateRefusal } from '../../policy/gates.ts';
import type { PolicyRule } from '../../policy/policy-types.ts';
import { ruleHash } from '../../policy/rules/rule-hash.ts';
import type { Host } from '../../ports/host.ts';
import { isReadOnly, type Refusal, type Tool, type ToolContext, type TouchedPath } from '../../ports/tool.ts';
import type { FilePort } from '../../ports/workspace.ts';
import type { ToolDisplay } from '../../protocol/agent/agent-event.ts';
import { AnswerLimit } from '../../scheduler/answer-limit.ts';
import type { AskedCalls } from '../../scheduler/asked-calls.ts';
import { CallReview } from '../../scheduler/call-review.ts';
import { CallStates } from '../../scheduler/call-states.ts';
import { ConfirmationBroker } from '../../scheduler/confirmation-broker.ts';
import type { PolicyPort, SecretsPort, ToolHooks } from '../../scheduler/review-ports.ts';
import { type FinishedCall, Scheduler, type SchedulerParts } from '../../scheduler/scheduler.ts';
import type { Ruling, ToolCall } from '../../scheduler/tool-call.ts';
import type { SessionJournal } from '../../sessions/session-journal.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { outputFileName } from '../../text/long-output.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import type { ChangedFiles } from '../changes/session-rewind.ts';
import type { EventStream } from '../events/event-stream.ts';
import type { SessionMode } from '../policy/session-mode.ts';
import type { SavedOutputs } from '../request/saved-outputs.ts';
import { brokerLog } from './broker-log.ts';
import { EditReview } from './edit-review.ts';
import { askOnCard } from './session-mcp.ts';

export interface SessionCallsParts {
  readonly host: Host;
  readonly journal: SessionJournal;
  readonly stream: EventStream;
  /** The open files of the editor. */
  readonly editor: FilePort;
  readonly files: ChangedFiles;
  readonly registry: ToolRegistry;
  readonly mode: SessionMode;
  readonly policy: PolicyPort;
  readonly hooks: ToolHooks;
  readonly secrets: SecretsPort;
  readonly audit: AuditLog;
  /** Stores outputs that are too long for the model. */
  readonly outputs: SavedOutputs;
  /** Folders of skills that may be read. */
  readonly skillFolders: () => readonly string[];
  /** The tokens that still fit into the model's window, as far as known. */
  readonly tokensLeft: () => number;
  /** Whether the user wrote this file's name in the conversation. */
  readonly isNamedByUser: (relativePath: string) => boolean;
  /** Notes which file a path in the arguments of a call led to. */
  readonly reached: NonNullable<ToolContext['reached']>;
  /** How a call is shown. */
  readonly describe: (call: ToolCall) => ToolDisplay;
  /** Names the asking agent in questions, if the user should know its origin. */
  readonly asker: string | undefined;
  readonly telemetry: Pick<Telemetry, 'see'>;
  /** The outcome of what was running for this call when its window was closed, as far as it can be found out. */
  readonly lostResult: NonNullable<SchedulerParts['lostResult']>;
}

/** Reviews, schedules and records the calls of one session. */
export class SessionCalls {
  readonly broker: ConfirmationBroker;
  readonly scheduler: Scheduler;
  readonly edits: EditReview;
  /** Calls that require approval. */
  readonly asked: Pick<AskedCalls, 'callOf'>;

  constructor(private readonly parts: SessionCallsParts) {
    this.broker = this.createBroker();
    const review = this.createReview();
    this.asked = review.asked;
    this.scheduler = this.createScheduler(review);
    this.edits = new EditReview(review, this.broker);
  }

  private createBroker(): ConfirmationBroker {
    const { journal, host } = this.parts;
    return new ConfirmationBroker(
      brokerLog(journal),
      () => `question-${randomUUID()}`,
      new AnswerLimit(() => host.settings.answerMinutes(), host.clock),
      journal.header.agent,
    );
  }

  private createReview(): CallReview {
    const { host, policy, hooks, secrets, describe, asker } = this.parts;
    return new CallReview({
      policy,
      hooks,
      secrets,
      broker: this.broker,
      interactive: host.sessions.interactive,
      asker,
      describe: (call) => describe(call).description ?? '',
      contextOf: (call, signal) => this.contextOf(call, signal),
      granted: () => this.releaseAllowed(),
      audit: {
        decided: (call, { decision, why, rule }) => {
          this.audit(call, { what: 'decided', decision, why, ...(rule && namedRule(rule)) });
          const { journal, telemetry } = this.parts;
          telemetry.see(journal.id, { kind: 'decided', callId: call.id, tier: rule?.source.tier });
        },
        answered: (call, { action, content, by }) => {
          const { decision } = content;
          this.audit(call, { what: 'answered', action, by, ...(typeof decision === 'string' && { decision }) });
        },
      },
    });
  }

  private createScheduler(review: CallReview): Scheduler {
    const { host, journal, stream, registry, mode, hooks, describe } = this.parts;
    return new Scheduler({
      registry,
      lostResult: (call) => this.parts.lostResult(call),
      review,
      states: new CallStates(host.clock),
      gate: (tool, touched) => this.gate(tool, touched),
      body: {
        log: host.log,
        hooks,
        workspace: () => mode.workspace(),
        session: () => mode,
        contextOf: (call, signal) => this.contextOf(call, signal),
        synced: () => journal.synced(),
        saveOutput: ({ name, id }, text) => this.parts.outputs.save(outputFileName(name, id), text),
        tokensLeft: () => this.parts.tokensLeft(),
      },
      observer: {
        onUpdate: (call, display) => stream.sendTransient({ type: 'tool_update', requestId: call.id, display }),
        onStarted: ({ id }) => journal.append({ type: 'tool_started', callId: id }),
        onFinished: (finished) => {
          const { call, state, result, ruling, duration } = finished;
          journal.append({
            type: 'tool_finished',
            call: { id: call.id, name: call.name, args: { ...call.args } },
            state,
            result,
            display: { ...describe(call), ...result.display },
            ...(ruling && { ruling: { decision: ruling.decision, why: ruling.shown ?? ruling.why } }),
            ...(duration !== undefined && { duration }),
          });
          this.auditEnd(finished);
        },
      },
    });
  }

  /** Resumes waiting calls that the rules allow by now. */
  releaseAllowed(): void {
    this.scheduler.releaseAllowed().catch((error: unknown) => {
      this.parts.host.log.error('Waiting calls were not looked at again', error);
    });
  }

  /** Whether a tool runs that doesn't wait for an answer itself. */
  get isExecuting(): boolean {
    const { waitingCalls } = this.broker;
    return this.scheduler.executing.some((id) => !waitingCalls.has(id));
  }

  /** Decides about a command that is not a call of the model: part of a message, or run again by the user. */
  async judgeCommand(args: ToolCall['args']): Promise<Ruling> {
    const call = { id: 'message', name: 'run_shell_command', args };
    const tool = this.parts.registry.get(call.name);
    if (!tool) return { decision: 'deny', why: 'There is no tool that runs commands.' };
    const refused = await this.gate(tool, []);
    return refused ? { decision: 'deny', ...refused } : this.parts.policy.decide(call, tool);
  }

  /** A context for reading files outside of any call, with the same guards. */
  readingContext(): ToolContext {
    const call = { id: 'message', name: 'read_file', args: {} };
    return this.contextOf(call, new AbortController().signal);
  }

  private async gate(tool: Tool, touched: readonly TouchedPath[]): Promise<Refusal | undefined> {
    const { mode, registry } = this.parts;
    const refused = registry.refusal(tool);
    if (refused) return refused;
    const { plansFolder } = mode;
    return gateRefusal(tool, touched, { workspace: mode.workspace(), mode: mode.mode(), plansFolder });
  }

  private contextOf(call: ToolCall, signal: AbortSignal): ToolContext {
    const { host, editor, files, mode, outputs, isNamedByUser, reached } = this.parts;
    return {
      callId: call.id,
      signal,
      workspace: mode.workspace(),
      files: editor,
      readableFolders: [outputs.folder, mode.plansFolder, ...this.parts.skillFolders()].flatMap(
        (folder) => folder ?? [],
      ),
      session: mode,
      isNamedByUser,
      reached,
      writeFile: (path, content, text) => {
        signal.throwIfAborted();
        return files.write(path, content, { callId: call.id }, text);
      },
      ...(host.sessions.interactive && { ask: askOnCard(this.broker, call) }),
      update: () => undefined,
    };
  }

  private auditEnd({ call, state, result, ruling, duration }: FinishedCall): void {
    const { error, data } = result;
    this.audit(call, {
      what: 'finished',
      state,
      ...(duration !== undefined && { durationMs: duration }),
      ...(data?.['exitCode'] !== undefined && { exitCode: data['exitCode'] }),
      ...(error && { error: error.type }),
      ...(error?.type === 'policy_violation' && !ruling && { why: error.message }),
    });
  }

  private audit({ id, name, args }: ToolCall, entry: AuditEntry): void {
    const { id: session, header } = this.parts.journal;
    const { parent } = header;
    const tool = this.parts.registry.get(name);
    const onlyReads = tool !== undefined && tool.server === undefined && isReadOnly(tool);
    this.parts.audit.add({ session, ...(parent && { parent }), callId: id, tool: name, args }, entry, onlyReads);
  }
}

/** The name of a rule, such as "/home/me/.gemini/policies/mine.toml:4", and its hash if it is in a file. */
function namedRule(rule: PolicyRule): { readonly rule: string; readonly ruleHash?: string } {
  const { file, line, label } = rule.source;
  if (file === undefined) return { rule: label };
  return { rule: line === undefined ? file : `${file}:${line}`, ruleHash: ruleHash(rule) };
}
