/** Set for the process that keeps a server running. Its server doesn't inherit it. */
export const ROLE = 'GANTRY_SERVE_ROLE';
/** Where that process and its server write. */
export const LOG_FILE = 'GANTRY_SERVE_LOG';

export function isKeeper(environment: Readonly<Record<string, string | undefined>>): boolean {
  return environment[ROLE] === 'keeper';
}
