import * as vscode from 'vscode';
import { ChatParticipants, ModelTools } from '../names.ts';
import type { ChatSessions } from './chat-sessions.ts';
import type { ToolSources } from './model-tools.ts';

/** Registers `@gantry` in VS Code's own chat. What answers is loaded with the first request. */
export function registerChatParticipant(sessions: ChatSessions, icon: vscode.Uri): vscode.Disposable {
  // Some builds of VS Code have no chat.
  if (typeof vscode.chat?.createChatParticipant !== 'function') return new vscode.Disposable(() => undefined);
  const participant = vscode.chat.createChatParticipant(ChatParticipants.gantry, async (...request) => {
    const { participantHandler } = await import('./chat-participant.ts');
    return participantHandler(sessions)(...request);
  });
  participant.iconPath = icon;
  return participant;
}

/** Tools that models in VS Code's own chat can call. VS Code asks before each call, and Gantry's rules also apply. */
export function registerModelTools(sources: ToolSources): vscode.Disposable {
  if (typeof vscode.lm?.registerTool !== 'function') return new vscode.Disposable(() => undefined);
  const loaded = () => import('./model-tools.ts');
  return vscode.Disposable.from(
    vscode.lm.registerTool(
      ModelTools.ask,
      lazyTool(async () => (await loaded()).askTool(sources)),
    ),
    vscode.lm.registerTool(
      ModelTools.sessions,
      lazyTool(async () => (await loaded()).sessionsTool(sources)),
    ),
  );
}

function lazyTool(load: () => Promise<vscode.LanguageModelTool<unknown>>): vscode.LanguageModelTool<unknown> {
  return {
    prepareInvocation: async (...call) => (await load()).prepareInvocation?.(...call),
    invoke: async (...call) => (await load()).invoke(...call),
  };
}
