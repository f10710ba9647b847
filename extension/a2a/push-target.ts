import { randomUUID } from 'node:crypto';
import type { TaskPushNotificationConfig } from '@a2a-js/sdk';
import { malformed } from './errors.ts';

/** The values are stored and sent as headers, and a wrong URL is shown in an error. */
const MOST_CHARS = { url: 2_000, id: 200, secret: 4_000 };
const SHOWN_CHARS = 200;
/** A token of RFC 9110, such as Bearer. */
const SCHEME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/;
/** What a header can contain. */
const VISIBLE = /^[\x20-\x7e]*$/;
/** Some servers read these as a slash or a dot, so that the path leads elsewhere; `..;` is the parent for some of them. */
const AMBIGUOUS = /%(?:25|2e|2f|5c)|(?:^|\/)\.{1,2};/i;

/** Where push notifications may go: to the URL that the user has named, and to what is below it. */
export class PushPrefix {
  private readonly url: URL;

  constructor(prefix: string) {
    this.url = new URL(prefix);
  }

  /** Compares what was parsed, because texts that begin in the same way can lead to another host. */
  covers(url: URL): boolean {
    const { origin, pathname } = this.url;
    const folder = pathname.endsWith('/') ? pathname : `${pathname}/`;
    const isBelow = url.pathname === pathname || url.pathname.startsWith(folder);
    return url.origin === origin && isBelow && !AMBIGUOUS.test(url.pathname);
  }
}

/** Reads the config of a client. Throws if nothing is sent there. Without an ID, it gets one. */
export function pushConfig(given: TaskPushNotificationConfig, prefix: PushPrefix): TaskPushNotificationConfig {
  const { url, authentication } = given;
  if (typeof url !== 'string' || url === '') throw malformed('A push notification config needs a "url".');
  const shown = url.length > SHOWN_CHARS ? `${url.slice(0, SHOWN_CHARS)}…` : url;
  if (url.length > MOST_CHARS.url || !URL.canParse(url)) throw malformed(`"${shown}" is not a URL, or it is too long.`);
  const parsed = new URL(url);
  if (parsed.username !== '' || parsed.password !== '') {
    throw malformed('The "url" contains a user name or a password. Send them as "authentication".');
  }
  if (!prefix.covers(parsed)) throw malformed(`This server sends no push notifications to "${shown}".`);
  return {
    tenant: '',
    taskId: given.taskId,
    id: text(given.id, 'id', MOST_CHARS.id) || randomUUID(),
    url: parsed.href,
    token: text(given.token, 'token', MOST_CHARS.secret),
    authentication: authentication && {
      scheme: schemeOf(authentication.scheme),
      credentials: text(authentication.credentials, 'credentials', MOST_CHARS.secret),
    },
  };
}

/** The headers that show the receiver whom a notification is from. */
export function pushHeaders({ token, authentication }: TaskPushNotificationConfig): Record<string, string> {
  const { scheme = '', credentials = '' } = authentication ?? {};
  return {
    ...(token !== '' && { 'x-a2a-notification-token': token }),
    ...(credentials !== '' && { authorization: `${scheme} ${credentials}` }),
  };
}

/** The types of the SDK say what a client should send, and not what it sends. */
function text(value: unknown, name: string, most: number): string {
  const given = value ?? '';
  if (typeof given === 'string' && given.length <= most && VISIBLE.test(given)) return given;
  throw malformed(`The "${name}" of a push notification config is a text of up to ${most} visible ASCII characters.`);
}

function schemeOf(value: unknown): string {
  if (typeof value === 'string' && SCHEME.test(value)) return value;
  throw malformed('The authentication of a push notification config needs a scheme, such as Bearer.');
}
