import type { ApiKey } from './credentials.ts';

export type Redact = (text: string) => string;

/** For text of the endpoint's that is shown or logged: Google names the key in some errors ("Consumer 'api_key:…'"). */
export function redactor(key: ApiKey | undefined): Redact {
  return (text) => (key ? text.replaceAll(key.value, '…') : text);
}
