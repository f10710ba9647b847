import { splitArguments } from './options.ts';
import { isRunner, riskOf } from './risky-options.ts';
import { literalWord, programOf, type ReadableShell, type SubCommand } from './shell-types.ts';
import { isWrapper } from './unwrap-command.ts';

/** Programs that run what they are given in another place. */
const ELSEWHERE = /^(?:docker|podman|kubectl|helm|ssh|vagrant|multipass|lxc|wsl)$/;
const RUNS_INPUT = /^(?:ba|da|z|k|a|fi)?sh$|^(?:source|\.|at|batch|parallel)$/;
/** Programs that may write files without a name that the text shows. */
const WRITER =
  /^(?:[bg]?tar|bsdtar|unzip|patch|cpio|7z\w?|unrar|ar|jar|git|find|xargs|cp|mv|rm|rsync|scp|ch(?:mod|own))$/;
const MAX_WORDS = 30;
const MAX_COMMANDS = 200;

/** The writers in the texts that a line has run as commands: in `eval …`, `awk 'system(…)'`, `git rebase -x …`. */
export function possibleCommands(line: string, { commands }: ReadableShell): readonly SubCommand[] {
  const texts = commands.flatMap((command) => {
    const name = programOf(command) ?? '';
    if (ELSEWHERE.test(name)) return [];
    if (runsInput(command)) return [line];
    return isWrapper(name) || riskOf(command) !== undefined ? [command.text] : [];
  });
  const pieces = [...new Set(texts)].flatMap((text) => text.split(/[;|&\n`()'"{}!]+/));
  const found = pieces.flatMap((piece) => {
    const words = piece.split(/\s+/).filter((word) => word !== '');
    const starts = [...words.keys()].filter((at) => at < words.length - 1 && WRITER.test(words[at] ?? ''));
    return starts.map((at) => ({ ...NOTHING, words: words.slice(at, at + MAX_WORDS).map(literalWord) }));
  });
  return found.slice(0, MAX_COMMANDS);
}

function runsInput(command: SubCommand): boolean {
  if (!RUNS_INPUT.test(programOf(command) ?? '')) return false;
  const [first] = splitArguments(command.words).operands;
  return first?.value === undefined || /^(?:\/dev\/|-$)/.test(first.value);
}

/** A command that may run any program: only the run shows which. */
export function unknownProgram({ commands }: ReadableShell): SubCommand | undefined {
  return commands.find((command) => {
    const name = programOf(command);
    if (name === undefined) return true;
    return runsInput(command) || (isRunner(name) && command.words.some(({ value }) => value === undefined));
  });
}

const NOTHING = { text: '', writes: [], redirects: false };
