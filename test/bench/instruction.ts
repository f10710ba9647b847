import { InstructionProvider } from '../../extension/context/instruction/instruction-provider.ts';
import type { ApprovalMode } from '../../extension/protocol/agent/approval-mode.ts';
import { usualParts } from '../support/instruction-facts.ts';
import { createTempWorkspace } from '../support/temp-workspace.ts';
import { median, milliseconds } from './statistics.ts';

const STEPS = 200;

/** What the instruction costs a step in which nothing changed, and one in which it has to be written anew. */
export async function measureInstruction(): Promise<{ readonly same: number; readonly anew: number }> {
  const folder = await createTempWorkspace({ 'GEMINI.md': 'Use tabs.\n'.repeat(200) });
  try {
    let mode: ApprovalMode = 'default';
    const provider = new InstructionProvider(usualParts(folder.path, () => mode));
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
