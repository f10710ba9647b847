import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { errorCode } from '../../files/error-code.ts';
import { ProblemError } from '../../protocol/agent/problem.ts';
import { parseJson } from '../json.ts';
import { unusableCredentials } from './auth-problem.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const common = { quota_project_id: z.string().optional(), token_uri: z.string().optional() };

/** Kinds that carry or name a secret themselves. What would run a program to get one is not here. */
const schema = z.discriminatedUnion('type', [
  z.looseObject({
    ...common,
    type: z.literal('authorized_user'),
    client_id: z.string().min(1),
    client_secret: z.string().min(1),
    refresh_token: z.string().min(1),
  }),
  z.looseObject({
    ...common,
    type: z.literal('service_account'),
    client_email: z.string().min(1),
    private_key: z.string().min(1),
    private_key_id: z.string().optional(),
  }),
  z.looseObject({ ...common, type: z.literal('impersonated_service_account') }),
  z.looseObject({
    ...common,
    type: z.literal('external_account'),
    credential_source: z.looseObject({ executable: z.undefined() }).optional(),
  }),
  z.looseObject({ ...common, type: z.literal('external_account_authorized_user') }),
]);

export type AdcFile = z.infer<typeof schema>;

/** Where gcloud leaves them, or where the environment says. Undefined when there are none. */
export async function readAdcFile(
  environment: Environment,
): Promise<{ readonly path: string; readonly content: AdcFile } | undefined> {
  const named = environment['GOOGLE_APPLICATION_CREDENTIALS']?.trim();
  const path = named || wellKnown(environment);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (!named && errorCode(error) === 'ENOENT') return undefined;
    throw new ProblemError(unusableCredentials(path, l10n.t('could not be read')), { cause: error });
  });
  if (text === undefined) return undefined;
  const parsed = schema.safeParse(parseJson(text));
  if (parsed.success) return { path, content: parsed.data };
  throw new ProblemError(unusableCredentials(path, l10n.t('has no credentials that Gantry supports')));
}

function wellKnown(environment: Environment): string {
  const { CLOUDSDK_CONFIG, APPDATA, HOME } = environment;
  const ofSystem =
    process.platform === 'win32' && APPDATA ? join(APPDATA, 'gcloud') : join(HOME || homedir(), '.config', 'gcloud');
  return join(CLOUDSDK_CONFIG || ofSystem, 'application_default_credentials.json');
}
