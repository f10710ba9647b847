import { withoutOwnSecrets } from '../../model/auth/known-secrets.ts';
import type { Host } from '../../ports/host.ts';

/** What programs that are started may know at most: not the variables that our own settings name for secrets. */
export function childEnvironment({
  environment,
  settings,
}: Pick<Host, 'environment' | 'settings'>): Host['environment'] {
  return withoutOwnSecrets(environment, settings.auth?.());
}
