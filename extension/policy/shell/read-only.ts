import { afterGlobalOptions } from './risky-git.ts';
import { programOf, type SubCommand } from './shell-types.ts';

/** Programs that only read their operands. */
const READERS: ReadonlySet<string> = new Set(
  `cat cd cut echo expr false grep egrep fgrep head id ls nl paste pwd rev seq stat tail tr true uname wc which whoami numfmt tac
  base64 find sort diff cmp comm join less more file du df tree rg ag fd jq md5sum sha1sum sha256sum sha512sum cksum strings
  hexdump od basename dirname realpath readlink test [ [[ printf pushd popd sleep type whereis printenv zcat bat column fold
  fmt`.split(/\s+/),
);

/** Subcommands of Git that change no file of the workspace that they name. */
const GIT_READERS: ReadonlySet<string> = new Set(
  `add annotate archive blame cat-file check-attr check-ignore commit describe diff diff-files diff-index diff-tree fetch
  format-patch grep hash-object log ls-files ls-remote ls-tree push reset rev-list rev-parse shortlog show status tag
  update-index whatchanged`.split(/\s+/),
);

/** Whether a command only reads the files that it names, judged by its program. */
export function isReader(command: Pick<SubCommand, 'words'>): boolean {
  const name = programOf(command) ?? '';
  if (name !== 'git') return READERS.has(name);
  return GIT_READERS.has(command.words[afterGlobalOptions(command.words)]?.value ?? 'log');
}
