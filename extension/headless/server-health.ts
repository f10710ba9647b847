import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { get } from 'node:http';
import { homedir } from 'node:os';
import { isObject } from '../base/objects.ts';
import { a2aServerFile } from '../gemini-config/home-folders.ts';
import { answerTo, CHALLENGE } from '../safety/shared-token.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A server of this user that answers. */
export interface HealthyServer {
  readonly url: string;
  readonly tokenFile: string;
  readonly pid: number;
  readonly version: string;
  readonly workspace: string;
}

/** A busy machine takes a while. */
const ANSWER_MS = 10_000;

/** The server at the port, if it is one of this user. A program that does not know the token is none, whatever it says. */
export async function healthyServer(environment: Environment, port: number): Promise<HealthyServer | undefined> {
  const tokenFile = a2aServerFile(environment, homedir(), port, 'token');
  const token = await readFile(tokenFile, 'utf8').catch(() => undefined);
  const url = `http://127.0.0.1:${port}/`;
  if (token === undefined) return undefined;
  const challenge = randomUUID();
  const { told } = await answerOf(port, { Authorization: `Bearer ${token}`, [CHALLENGE]: challenge });
  if (!isObject(told) || told['status'] !== 'ok' || told['answer'] !== answerTo(challenge, token)) return undefined;
  const { pid, version, workspace } = told;
  if (typeof pid !== 'number' || typeof version !== 'string' || typeof workspace !== 'string') return undefined;
  return { url, tokenFile, pid, version, workspace };
}

/** Whether the server hangs. One that refuses a request or has too many connections is only busy. */
export async function isSilent(port: number): Promise<boolean> {
  return (await answerOf(port, {})).isSilent;
}

interface Answer {
  readonly isSilent: boolean;
  /** Undefined if there is no answer, or none in JSON. */
  readonly told?: unknown;
}

function answerOf(port: number, headers: Readonly<Record<string, string>>): Promise<Answer> {
  return new Promise((resolve) => {
    const options = { headers: { ...headers }, agent: false, timeout: ANSWER_MS };
    const request = get(`http://127.0.0.1:${port}/health`, options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (text.length > 10_000) request.destroy();
      });
      response.once('close', () => resolve({ isSilent: false, told: parsed(text) }));
    });
    request.once('timeout', () => {
      resolve({ isSilent: true });
      request.destroy();
    });
    request.once('error', () => resolve({ isSilent: false }));
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
