import type { Content, Part } from '@google/genai';
import fc from 'fast-check';
import { deepFreeze } from './deep-freeze.ts';

/** A tool and the length of its output. */
export type Call = readonly [tool: string, chars: number];

/** A frozen history as in requests: for each turn a message, rounds of calls with their outputs, and an answer. */
export function conversationOf(turns: readonly (readonly (readonly Call[])[])[]): Content[] {
  let count = 0;
  const contents = turns.flatMap((rounds, turn): Content[] => [
    { role: 'user', parts: [{ text: `Message ${turn}` }] },
    ...rounds.flatMap((calls): Content[] => {
      const ids = calls.map(() => `call-${count++}`);
      return [
        { role: 'model', parts: calls.map(([name], at) => ({ functionCall: { id: ids[at] ?? '', name, args: {} } })) },
        { role: 'user', parts: calls.map(([name, chars], at) => output(name, ids[at] ?? '', textOf(chars))) },
      ];
    }),
    { role: 'model', parts: [{ text: `Answer ${turn}` }] },
  ]);
  deepFreeze(contents);
  return contents;
}

export function output(name: string, id: string, text: string): Part {
  return { functionResponse: { name, id, response: { output: text } } };
}

/** Lines of 40 characters. */
function textOf(chars: number): string {
  return `${'x'.repeat(39)}\n`.repeat(Math.ceil(chars / 40));
}

/** By default, outputs are so long that a note is always shorter. */
export function wildConversation(shortest = 3000): fc.Arbitrary<Content[]> {
  const tool = fc.constantFrom('read_file', 'run_shell_command', 'grep_search', 'ask_user', 'web_fetch');
  const call = fc.tuple(tool, fc.integer({ min: shortest, max: 120_000 }));
  const rounds = fc.array(fc.array(call, { minLength: 1, maxLength: 3 }), { maxLength: 4 });
  return fc.array(rounds, { minLength: 1, maxLength: 6 }).map(conversationOf);
}

/** The history at each request: before each answer of the model. */
export function requestsOf(contents: readonly Content[]): Content[][] {
  return contents.flatMap(({ role }, at) => (role === 'model' ? [contents.slice(0, at)] : []));
}
