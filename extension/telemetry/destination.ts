import * as l10n from '@vscode/l10n';
import { ownHeaders } from '../model/auth/own-headers.ts';
import { baseUrlProblem, carriesKeyInTheClear, hostAndPort } from '../model/base-url.ts';
import type { Host } from '../ports/host.ts';
import type { TelemetrySettings } from '../ports/settings.ts';

/** Where telemetry goes. */
export type Destination =
  | { readonly kind: 'off' }
  /** The user named an endpoint, and turned off all telemetry in VS Code. */
  | { readonly kind: 'blocked' }
  /** `why` never repeats the address or a header, which may contain a secret. */
  | { readonly kind: 'refused'; readonly why: string }
  | {
      readonly kind: 'on';
      /** Host and port, for people. */
      readonly place: string;
      readonly traces: string;
      readonly metrics: string;
      readonly headers: Readonly<Record<string, string>>;
    };

/** Variables such as `OTEL_EXPORTER_OTLP_ENDPOINT` have no effect: other programs' settings must not turn this on. */
export function readDestination(
  settings: TelemetrySettings | undefined,
  environment: Host['environment'],
): Destination {
  if (!settings?.endpoint) return { kind: 'off' };
  const { endpoint, source } = settings;
  if (settings.isBlocked) return { kind: 'blocked' };
  const wrong = baseUrlProblem(endpoint);
  if (wrong !== undefined) return { kind: 'refused', why: `${source} ${wrong}` };
  const own = ownHeaders(settings.headers, environment);
  if ('wrong' in own) return { kind: 'refused', why: `${settings.headersSource} ${own.wrong}` };
  if (Object.keys(own.headers).length > 0 && carriesKeyInTheClear(endpoint)) {
    return { kind: 'refused', why: l10n.t('{0} is not https, so the headers would be sent unencrypted', source) };
  }
  const base = endpoint.replace(/\/+$/, '');
  return {
    kind: 'on',
    place: hostAndPort(endpoint),
    traces: `${base}/v1/traces`,
    metrics: `${base}/v1/metrics`,
    headers: own.headers,
  };
}
