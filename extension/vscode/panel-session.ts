import * as vscode from 'vscode';
import { describeModel, type ModelDescription } from '../model/describe-model.ts';
import type { AgentEvent } from '../protocol/agent-event.ts';
import type { AgentSend } from '../protocol/agent-protocol.ts';
import type { AgentSession } from '../protocol/agent-session.ts';
import { textPart } from '../protocol/content-part.ts';
import type { PanelState, TranscriptChange } from '../protocol/panel-messages.ts';
import { type Problem, ProblemError } from '../protocol/problem.ts';
import { Transcript } from '../protocol/transcript.ts';
import type { Entry } from '../protocol/transcript-entry.ts';
import type { Host } from '../runtime/host.ts';
import { Disposable } from './disposable.ts';
import { BuiltIn, ContextKeys } from './names.ts';
import type { RuntimeLoader } from './runtime-loader.ts';

/** The conversation the panel shows: lives as long as the window, however often the view comes and goes. */
export class PanelSession extends Disposable {
  private readonly changed = this.register(new vscode.EventEmitter<TranscriptChange[]>());
  private readonly stateChanged = this.register(new vscode.EventEmitter<void>());
  private readonly replaced = this.register(new vscode.EventEmitter<void>());
  private session: AgentSession | undefined;
  private transcript = new Transcript();
  /** When the run of this moment began; undefined when there is none. */
  private runningSince: number | undefined;
  private stopWanted = false;
  private stopListening: () => void = () => undefined;

  readonly onDidChangeTranscript = this.changed.event;
  readonly onDidChangeState = this.stateChanged.event;
  /** Another conversation took the place of the one before. */
  readonly onDidReplace = this.replaced.event;

  constructor(
    private readonly host: Host,
    private readonly runtime: RuntimeLoader,
  ) {
    super();
    this.register({ dispose: () => this.stopListening() });
  }

  get entries(): Entry[] {
    return this.transcript.entries;
  }

  async state(): Promise<PanelState> {
    const model: ModelDescription = await describeModel(this.host);
    return {
      title: this.transcript.title || 'New session',
      running: this.runningSince !== undefined,
      ...(this.runningSince !== undefined && { startedAt: this.runningSince }),
      model: model.label,
      offline: model.offline,
      readOnly: !this.host.workspace.isTrusted(),
      hasFolder: this.host.workspace.roots().length > 0,
    };
  }

  /** Undefined when the message was taken, else why not. */
  send(text: string): Promise<Problem | undefined> {
    return this.start({ message: { content: [textPart(text)] } });
  }

  retry(): Promise<Problem | undefined> {
    return this.start({ action: { type: 'retry', data: undefined } });
  }

  async stop(): Promise<void> {
    this.stopWanted = true;
    await this.session?.abort();
  }

  async startNew(): Promise<void> {
    await this.stop();
    this.stopListening();
    this.session = undefined;
    this.transcript = new Transcript();
    this.setRunning(false);
    this.replaced.fire();
  }

  /** The view is there, a message is likely: get the heavy part loaded while the user types. */
  warmUp(): void {
    this.runtime.load().catch((error: unknown) => this.host.log.error('The agent could not be loaded', error));
  }

  private async ensureSession(): Promise<AgentSession> {
    if (!this.session) {
      this.session = await (await this.runtime.load()).createSession();
      this.stopListening = this.session.subscribe((event) => this.take(event));
    }
    return this.session;
  }

  private take(event: AgentEvent): void {
    const titled = this.transcript.title !== '';
    const changes = this.transcript.apply(event);
    if (changes.length > 0) this.changed.fire(changes);
    if (event.type === 'agent_end') this.setRunning(false);
    else if (!titled && this.transcript.title !== '') this.stateChanged.fire();
  }

  private setRunning(running: boolean): void {
    this.runningSince = running ? this.host.clock.now() : undefined;
    void vscode.commands.executeCommand(BuiltIn.setContext, ContextKeys.running, running);
    this.stateChanged.fire();
  }

  private async start(payload: AgentSend): Promise<Problem | undefined> {
    this.stopWanted = false;
    try {
      const session = await this.ensureSession();
      await session.send(payload);
      this.setRunning(true);
      // Stop may be pressed while the runtime is still being loaded, when there is nothing to abort yet.
      if (this.stopWanted) await session.abort();
      return undefined;
    } catch (error) {
      if (ProblemError.is(error)) return error.problem;
      this.host.log.error('A message could not be sent', error);
      return RUNTIME_MISSING;
    }
  }
}

const RUNTIME_MISSING: Problem = {
  kind: 'runtime-missing',
  title: 'The agent could not be started',
  detail: 'Your text is back in the input. Reload the window; if that does not help, install Gantry again.',
  actions: ['show-log'],
};
