export type Redact = (text: string) => string;

/** For text of the endpoint's that is shown or logged: Google names the key in some errors ("Consumer 'api_key:…'"). */
export function redactor(secrets: readonly string[]): Redact {
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
}
