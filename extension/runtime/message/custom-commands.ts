import { homedir } from 'node:os';
import type { CommandLibrary } from '../../commands/command-library.ts';
import type { CustomCommand } from '../../commands/custom-command.ts';
import { type PreparedCommand, prepareCommand } from '../../commands/prepare-command.ts';
import { initPrompt } from '../../context/init-prompt.ts';
import type { SessionCalls } from '../calls/session-calls.ts';
import type { SessionCommands } from '../commands/session-commands.ts';
import type { SharedParts } from '../session-parts.ts';
import { runForMessage } from './message-command.ts';
import { type TypedMessage, typedCommand } from './typed-command.ts';

/** The commands that people wrote down, and how one is made into a message of a session. */
export class CustomCommands {
  readonly library: CommandLibrary;

  constructor(
    private readonly shared: Pick<SharedParts, 'commands' | 'memory' | 'host' | 'shell' | 'audit' | 'mcp'>,
    /** Throws for one that is not open. */
    private readonly session: (sessionId: string) => {
      readonly calls: SessionCalls;
      readonly commands: SessionCommands;
    },
  ) {
    this.library = shared.commands;
  }

  /** The message behind `/init`. */
  async initPrompt(): Promise<string> {
    const { memory, host } = this.shared;
    const [name = ''] = await memory.names(host.workspace);
    return initPrompt(name);
  }

  /** What a text that begins with a slash says, where nobody can be asked; see `typedCommand`. */
  typed(sessionId: string, text: string, signal: AbortSignal): Promise<TypedMessage | undefined> {
    const { host, mcp } = this.shared;
    const parts = {
      workspace: host.workspace,
      library: this.library,
      mcp,
      initPrompt: () => this.initPrompt(),
      prepare: (command: CustomCommand, args: string) => this.prepare(sessionId, command, args),
    };
    return typedCommand(text, parts, signal);
  }

  /** With its arguments, before anything is read, run or sent. */
  prepare(sessionId: string, command: CustomCommand, args: string): Promise<PreparedCommand> {
    const { host, shell, audit } = this.shared;
    const { calls, commands } = this.session(sessionId);
    const { sandbox, protectedFiles } = commands;
    const folder = host.workspace.roots()[0] ?? homedir();
    return prepareCommand(command, args, {
      context: calls.readingContext(),
      judge: async (text) => {
        const { rule, ...ruling } = await calls.judgeCommand({ command: text });
        const { decision, why } = ruling;
        return { ...ruling, why: [decision === 'deny' && rule?.denyMessage, why].filter(Boolean).join(' ') };
      },
      run: (text, signal) => runForMessage(text, signal, { shell, sandbox, protectedFiles, folder, audit, sessionId }),
    });
  }
}
