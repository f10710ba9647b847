import { InstructionProvider } from '../../extension/context/instruction/instruction-provider.ts';
import { MemoryFiles } from '../../extension/context/memory/memory-files.ts';
import { SessionMemory } from '../../extension/context/memory/session-memory.ts';
import type { ApprovalMode } from '../../extension/protocol/agent/approval-mode.ts';
import { USUAL_FACTS } from '../support/instruction-facts.ts';
import { createTempWorkspace } from '../support/temp-workspace.ts';
import { median, milliseconds } from './statistics.ts';

const STEPS = 200;

/** What the instruction costs a step in which nothing changed, and one in which it has to be written anew. */
export async function measureInstruction(): Promise<{ readonly same: number; readonly anew: number }> {
  const folder = await createTempWorkspace({ 'GEMINI.md': 'Use tabs.\n'.repeat(200) });
  try {
    let mode: ApprovalMode = 'default';
    const workspace = { roots: () => [folder.path], isTrusted: () => true };
    const files = new MemoryFiles({ home: folder.path, geminiHome: folder.path, fileNames: () => [] });
    const provider = new InstructionProvider({
      workspace: () => workspace,
      session: { mode: () => mode, plansFolder: undefined },
      isInteractive: true,
      approvedPlan: () => undefined,
      hasHooks: () => false,
      tools: () => USUAL_FACTS.tools,
      model: () => 'gemini-3.8-flash',
      memory: new SessionMemory(files, () => workspace),
    });
    await provider.next();
    const [same, anew]: [number[], number[]] = [[], []];
    for (let step = 0; step < STEPS; step++) {
      same.push(await milliseconds(() => provider.next()));
      mode = mode === 'default' ? 'plan' : 'default';
      anew.push(await milliseconds(() => provider.current()));
      mode = mode === 'default' ? 'plan' : 'default';
      provider.current();
    }
    return { same: median(same), anew: median(anew) };
  } finally {
    await folder.dispose();
  }
}
