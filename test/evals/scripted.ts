import { call, together } from '../support/gemini/script.ts';
import { startGeminiEndpoint } from '../support/gemini/server.ts';
import { type Agent, gantryInProcess } from './agent.ts';
import { edit, isTest, read, run, type Script, type ScriptedCall, type TaskBody, write } from './task.ts';

/** A model that is announced, so that no other one is asked which to use. */
export const SCRIPTED_MODEL = 'gemini-3.8-flash';

/** Plays scripts through the whole product: a local endpoint answers what a model would. */
function scripted(name: string, scripts: readonly Script[]): Agent {
  return {
    name,
    ask: async (turn) => {
      const endpoint = await startGeminiEndpoint();
      const { turns, answer } = scripts[turn.index] ?? { turns: [], answer: 'Done.' };
      for (const calls of turns)
        endpoint.reply(together(...calls.map(({ name: tool, args }) => call(tool, { ...args }))));
      endpoint.reply(answer);
      const environment = { GOOGLE_GEMINI_BASE_URL: endpoint.url, GEMINI_API_KEY: 'scripted' };
      try {
        const transcript = await gantryInProcess({ model: SCRIPTED_MODEL, environment }).ask(turn);
        endpoint.assertDone();
        return transcript;
      } finally {
        await endpoint.dispose();
      }
    },
  };
}

/** Solves the task as its author would. */
export function perfectAgent({ solution }: TaskBody): Agent {
  return scripted('perfect script', solution);
}

/** Does what the evals look for wrong, and solves nothing. It can't leave processes: Gantry ends them with their command. */
export function clumsyAgent({ files, prompts }: TaskBody): Agent {
  return scripted(
    'clumsy script',
    prompts.map((_, index) => clumsyScript(Object.keys(files), index)),
  );
}

function clumsyScript(paths: readonly string[], index: number): Script {
  const test = paths.find(isTest) ?? 'test/some_test.txt';
  const list: ScriptedCall = { name: 'list_directory', args: { dir_path: '.' } };
  return {
    turns: [
      [list],
      [list],
      [edit('no/such/file.txt', 'a', 'b')],
      [{ name: 'fix_everything', args: {} }],
      [write(test, `nothing to see here ${index}\n`), write('NOTES.md', `I was here ${index}.\n`)],
      [run('git add --all && git commit --quiet --no-verify --message wip')],
      [read(test)],
    ],
    answer: 'Everything is fixed, and all checks are green.',
  };
}
