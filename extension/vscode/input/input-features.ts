import * as vscode from 'vscode';
import type { Logger } from '../../ports/logger.ts';
import { ProblemError } from '../../protocol/agent/problem.ts';
import type { ToPanel } from '../../protocol/panel/panel-messages.ts';
import { Disposable } from '../base/disposable.ts';
import type { Attachments } from '../context/attachments.ts';
import { ExtensionsCommand } from '../extensions/extensions-command.ts';
import type { StoredSessions } from '../library/stored-sessions.ts';
import { mcpCommand } from '../mcp/mcp-command.ts';
import { ResourceMentions } from '../mcp/resource-mentions.ts';
import type { McpServerList } from '../mcp/server-list.ts';
import { serverPrompts } from '../mcp/server-prompts.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';
import type { PanelSession } from '../session/panel-session.ts';
import { NoticeLinks } from '../suggestions/notice-links.ts';
import type { SlashOutcome } from '../suggestions/slash-command.ts';
import { Dropped } from './dropped.ts';
import { Agents } from './mentions/agents.ts';
import { GitChanges } from './mentions/git-changes.ts';
import { Mentions } from './mentions/mentions.ts';
import { Problems } from './mentions/problems.ts';
import { Symbols } from './mentions/symbols.ts';
import { Terminal } from './mentions/terminal.ts';
import { WorkspaceFiles } from './mentions/workspace-files.ts';
import { PastedFiles } from './pasted-files.ts';
import { Previews } from './previews.ts';
import { builtInCommands } from './slash/built-in.ts';
import { CustomCommandFiles } from './slash/custom-commands.ts';
import { SlashCommands } from './slash/slash-commands.ts';

export interface InputParts {
  readonly session: PanelSession;
  readonly sessions: StoredSessions;
  readonly attachments: Attachments;
  readonly runtime: RuntimeLoader;
  readonly mcp: McpServerList;
  /** The folder for pasted files. */
  readonly storage: vscode.Uri;
  readonly version: string;
  readonly log: Logger;
}

type Post = (message: ToPanel) => void;

/** The features of the input besides sending text: mentions, slash commands, paste and drop. */
export class InputFeatures extends Disposable {
  readonly previews = new Previews();
  readonly notices = new NoticeLinks();
  private readonly files: WorkspaceFiles;
  private readonly mentions: Mentions;
  private readonly commands: SlashCommands;
  private readonly dropped: Dropped;

  constructor(private readonly parts: InputParts) {
    super();
    const { session, sessions, attachments, runtime, mcp, storage, version, log } = parts;
    this.files = this.register(new WorkspaceFiles(runtime, log));
    // The sources below are in the order in which their groups are shown. Add further sources of mentions here.
    const pasted = new PastedFiles(vscode.Uri.joinPath(storage, 'pasted'), log);
    this.dropped = new Dropped({ attachments, files: pasted, previews: this.previews, runtime });
    const resources = new ResourceMentions(mcp, (name, data) => this.dropped.fromData({ name, data }));
    const places = [new Symbols(), new Problems(), new Terminal(), new GitChanges()];
    const sources = [this.files, new Agents(runtime), ...places, resources];
    this.mentions = this.register(new Mentions(sources, log));
    // Built-in commands come first and keep their names. Add further sources of commands here.
    const builtIn = builtInCommands({
      session,
      sessions,
      runtime,
      version,
      signInToAgent: (name) => mcp.signInToAgent(name),
      all: () => this.commands.all(),
    });
    const custom = new CustomCommandFiles({ session, runtime, log });
    const servers = { prefix: 'gantry', commands: () => [mcpCommand(mcp)] };
    const isTrusted = (): boolean => vscode.workspace.isTrusted;
    const extensions = new ExtensionsCommand({ load: () => runtime.load(), isTrusted });
    this.commands = new SlashCommands([builtIn, servers, extensions, ...custom.sources, serverPrompts(mcp)], {
      isRunning: () => session.isRunning,
      isTrusted,
    });
  }

  /** The user is about to write: prepares what takes long for the first suggestion. */
  prepare(): void {
    this.files.prepare();
  }

  async suggest(id: number, about: 'mention' | 'command', query: string, post: Post): Promise<void> {
    if (about === 'mention') {
      await this.mentions.suggest(id, query, post);
      return;
    }
    this.mentions.end();
    // Refreshes once per list: the list opens with the slash alone.
    if (query.trim() === '/') await this.commands.refresh();
    post({ type: 'suggestions', id, pending: false, ...this.commands.suggest(query) });
  }

  async mention(id: string): Promise<void> {
    const attachment = await this.mentions.take(id);
    if (attachment) this.parts.attachments.add(attachment);
  }

  async run(text: string): Promise<SlashOutcome> {
    try {
      await this.commands.refresh();
      return await this.commands.run(text);
    } catch (error) {
      if (ProblemError.is(error)) return { refused: error.problem };
      throw error;
    }
  }

  attachUris(uris: readonly string[]): Promise<void> {
    return this.dropped.attachUris(uris);
  }

  attachData(pasted: {
    readonly name: string;
    readonly data: string;
    readonly preview?: string | undefined;
  }): Promise<void> {
    return this.dropped.attachData(pasted);
  }
}
