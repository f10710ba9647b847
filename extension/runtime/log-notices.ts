import * as l10n from '@vscode/l10n';
import type { LogObserver } from '../sessions/store/stored-log.ts';
import type { LiveSession } from './live-session.ts';
import { notSaved, savedAgain } from './problems/session-problems.ts';

/** What the log of a session has to tell, once there is a session to tell it. */
export class LogNotices {
  live: LiveSession | undefined;

  readonly observer: LogObserver = {
    onFailure: (failure) => this.live?.warn(notSaved(failure)),
    onRecovered: () => this.live?.warn(savedAgain()),
    onLockLost: (by) => void this.live?.lose(by?.label ?? l10n.t('another window')),
  };
}
