import { inOrder, type SandboxPolicy } from './sandbox-policy.ts';

/**
 * In addition to files and the network, denies ways to make a process outside do the work: Launch Services opens
 * programs and Apple events control them, both outside the sandbox of the caller.
 */
const GROUND: readonly string[] = [
  '(version 1)',
  '(allow default)',
  '(deny appleevent-send)',
  '(deny lsopen)',
  '(deny mach-lookup (global-name "com.apple.SecurityServer") (global-name "com.apple.securityd.xpc"))',
  '(deny process-info* (target others))',
  '(allow process-info* (target same-sandbox))',
  '(deny signal (target others))',
  '(allow signal (target same-sandbox))',
  '(deny network*)',
  '(deny file-write*)',
  '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (literal "/dev/ptmx"))',
  '(allow file-write* file-ioctl (regex #"^/dev/(tty|ttys|fd/|std)"))',
];

/** The text of a profile for `sandbox-exec`. Of several rules for a path, the last one counts. */
export function seatbeltProfile(policy: SandboxPolicy, names: readonly RegExp[] = []): string {
  const places = inOrder(policy.places).flatMap(({ path, access, isFolder }) => {
    const at = `(${isFolder ? 'subpath' : 'literal'} ${JSON.stringify(path)})`;
    if (access === 'none') return [`(deny file-read* file-write* ${at})`];
    return [`(allow file-read* ${at})`, `(${access === 'write' ? 'allow' : 'deny'} file-write* ${at})`];
  });
  return [
    ...GROUND,
    `(allow file-write* (subpath ${JSON.stringify(policy.temp)}))`,
    ...places,
    // Places can't be moved or replaced, which would be a change of the folder around them.
    ...inOrder(policy.places).map(({ path }) => `(deny file-write-unlink (literal ${JSON.stringify(path)}))`),
    ...names.map((name) => `(deny file-write* (regex #"${name.source}"))`),
    ...(policy.openNetwork ? ['(allow network*)'] : []),
    ...(policy.route ? [`(allow network-outbound (remote tcp "localhost:${policy.route.port}"))`] : []),
  ].join('\n');
}
