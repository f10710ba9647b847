import { CLOSING, OPENING } from '../../../extension/context/instruction/general-sections.ts';
import { type InstructionFacts, systemInstruction } from '../../../extension/context/instruction/system-instruction.ts';
import { textTokens } from '../../../extension/context/tokens/text-tokens.ts';
import { HEADLESS, IN_PLAN_MODE, UNTRUSTED, USUAL_FACTS } from '../instruction-facts.ts';

const SESSIONS: readonly (readonly [string, Partial<InstructionFacts>])[] = [
  ['In the editor, Gemini 3', {}],
  ['In the editor, Gemini 2.5', { variant: 'gemini-2.5' }],
  ['In the editor, another model', { variant: 'other' }],
  ['In the editor, a window of at most 32,768 tokens', { variant: 'small' }],
  ['Plan mode', IN_PLAN_MODE],
  ['Command line', HEADLESS],
  ['Restricted Mode', UNTRUSTED],
];

/** The sections of the instruction with their sizes, then the size of the whole in different sessions. */
export function instructionTables(): string {
  const sections = [...OPENING, ...CLOSING].map(
    ({ name, condition, text }) => `| \`sections/${name}.md\` | ${condition} | ${tokensOf(text)} |`,
  );
  const sessions = SESSIONS.map(
    ([name, facts]) => `| ${name} | ${tokensOf(systemInstruction({ ...USUAL_FACTS, ...facts }))} |`,
  );
  return [
    '| Section | When | Tokens |\n|---|---|---:|',
    ...sections,
    '\n| Session | Tokens |\n|---|---:|',
    ...sessions,
    '',
  ].join('\n');
}

function tokensOf(text: string): string {
  return Math.round(textTokens(text)).toLocaleString('en');
}
