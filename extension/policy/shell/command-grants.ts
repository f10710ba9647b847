import * as l10n from '@vscode/l10n';
import { ownValue } from '../own-value.ts';
import { exactCommandPattern } from '../rules/narrow.ts';
import { riskOf } from './risky-options.ts';
import { type ParsedShell, programOf, type SubCommand } from './shell-types.ts';

export interface CommandGrant {
  readonly id: string;
  readonly label: string;
  /** In words. */
  readonly covers: string;
  readonly rules: readonly GrantRule[];
}

export interface GrantRule {
  readonly commandPrefix?: string;
  readonly argsPattern?: string;
  readonly allowRedirection?: boolean;
}

/** Longer patterns are refused when rules are loaded. */
const MAX_PATTERN = 2048;

/** Programs whose second word says what they do; with the words for which "any arguments" is a fair thing to allow. */
const TWO_WORDS: Readonly<Record<string, readonly string[]>> = {
  git: 'status log diff show blame ls-files rev-parse shortlog describe add commit fetch stash'.split(' '),
  npm: 'test run ls outdated audit view'.split(' '),
  pnpm: 'test run ls outdated audit'.split(' '),
  yarn: 'test run list outdated audit'.split(' '),
  cargo: 'test build check clippy fmt doc bench'.split(' '),
  go: 'test build vet fmt list'.split(' '),
  dotnet: 'test build restore format'.split(' '),
  docker: 'ps images logs'.split(' '),
  kubectl: 'get describe logs'.split(' '),
  make: [],
};
/** Of these the third word belongs to it: `npm run build`. */
const THREE_WORDS = new Set(['npm run', 'pnpm run', 'yarn run']);

/** Too much hangs on the arguments: shells, interpreters, wrappers, package runners, what deletes, sends or changes rights. */
const ONLY_EXACT = new Set(
  `sh bash zsh dash ksh ash fish powershell pwsh cmd python python3 node deno bun perl ruby php lua osascript awk gawk mawk sed
  env nice nohup timeout time command builtin exec sudo doas su stdbuf ionice setsid chroot watch flock parallel xargs find fd
  npx bunx uvx pipx pnpx rm rmdir mv cp ln dd tee install chmod chown chgrp kill pkill killall curl wget ssh scp sftp rsync nc
  ncat telnet tar zip unzip eval source . alias trap export set crontab at systemctl service apt apt-get brew pip pip3 gem
  docker podman kubectl terraform aws gcloud az gh vim vi nvim emacs less man strace gdb script [ [[ test ((`.split(
    /\s+/,
  ),
);

/** What "for this session" and "always" can be given for, the narrowest first. Empty where nothing can be remembered. */
export function commandGrants(parsed: ParsedShell, command: string): readonly CommandGrant[] {
  if (whyNotRemembered(parsed, command) !== undefined || !parsed.parsed) return [];
  const allowRedirection = parsed.hasRedirection ? { allowRedirection: true } : {};
  const texts = [...new Set([command, ...parsed.commands.map(({ text }) => text)])];
  const exact: CommandGrant = {
    id: 'exact',
    label: command,
    covers:
      texts.length > 1
        ? l10n.t('Exactly this line, and each command in it alone, in any folder of the workspace.')
        : l10n.t('Exactly this command, and no other, in any folder of the workspace.'),
    rules: texts.map((text) => ({ argsPattern: exactCommandPattern(text), ...allowRedirection })),
  };
  // A beginning that may be redirected could write any file.
  const prefix = parsed.hasRedirection ? undefined : prefixGrant(parsed.commands, command);
  return prefix ? [exact, prefix] : [exact];
}

/** Why only this one call can be allowed, for people; undefined when it can be remembered. */
export function whyNotRemembered(parsed: ParsedShell, command: string): string | undefined {
  if (!parsed.parsed) return l10n.t('It cannot be remembered, because {0}.', parsed.reason);
  const [concern] = parsed.concerns;
  if (concern !== undefined) return l10n.t('It cannot be remembered, because of {0}.', concern);
  const tooLong = [command, ...parsed.commands.map(({ text }) => text)].some(
    (text) => exactCommandPattern(text).length > MAX_PATTERN,
  );
  return tooLong ? l10n.t('It is too long to be remembered.') : undefined;
}

function prefixGrant(commands: readonly SubCommand[], line: string): CommandGrant | undefined {
  const prefixes = commands.map(prefixOf);
  const known = prefixes.filter((prefix) => prefix !== undefined);
  // The rules see the whole line first, and it has to begin with one of them.
  if (known.length < prefixes.length || !known.some((prefix) => beginsWith(line, prefix))) return undefined;
  const distinct = [...new Set(known)];
  const names = distinct.map((prefix) => `\`${prefix}\``).join(` ${l10n.t('or')} `);
  return {
    id: 'prefix',
    label: distinct.join(', '),
    covers: l10n.t('Every command that begins with {0}, with any arguments, in any folder of the workspace.', names),
    rules: distinct.map((commandPrefix) => ({ commandPrefix })),
  };
}

/** The beginning of a command that says what it does; undefined when only the whole of it does. */
function prefixOf(command: SubCommand): string | undefined {
  const name = command.words[0]?.value;
  if (name === undefined || riskOf(command) !== undefined) return undefined;
  const prefix = wordsOf(command, name)?.join(' ');
  return prefix !== undefined && beginsWith(command.text, prefix) ? prefix : undefined;
}

function wordsOf(command: SubCommand, name: string): readonly string[] | undefined {
  const [, second, third] = command.words.map(({ value }) => value);
  const seconds = ownValue(TWO_WORDS, name);
  if (!seconds) return ONLY_EXACT.has(programOf(command) ?? '') ? undefined : [name];
  if (name === 'make') return second !== undefined && /^[\w-]+$/.test(second) ? [name, second] : undefined;
  if (second === undefined || !seconds.includes(second)) return undefined;
  if (!THREE_WORDS.has(`${name} ${second}`)) return [name, second];
  return third !== undefined && !third.startsWith('-') ? [name, second, third] : undefined;
}

function beginsWith(text: string, prefix: string): boolean {
  return text === prefix || text.startsWith(`${prefix} `);
}
