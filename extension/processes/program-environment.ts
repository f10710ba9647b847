/** What a program needs to start at all on Windows, and the language of its messages. */
const BARE = /^(LANG|LC_[A-Z]+|SYSTEMROOT|WINDIR)$/i;

/**
 * For a program that must not be told anything: no PATH to find others on, no home with settings, no variables that are
 * settings themselves, such as `RIPGREP_CONFIG_PATH`, which can name a command to run.
 */
export function bareEnvironment(base: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept = Object.entries(base).filter((entry): entry is [string, string] => {
    const [name, value] = entry;
    return BARE.test(name) && value !== undefined;
  });
  return Object.fromEntries(kept);
}
