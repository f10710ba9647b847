import { writeSync } from 'node:fs';
import type { AgentEvent } from '../../../extension/protocol/agent/agent-event.ts';
import { AgentService } from '../../../extension/runtime/agent-service.ts';
import { testHost } from '../test-host.ts';
import { Conductor, crashTools } from './conduct.ts';

/**
 * The process that is killed: node child.js <sessions> <workspace> <endpoint>. Each line that it prints is an event it
 * received; it is printed at once, so that what its parent has read is what a user may have seen.
 */
async function main([sessions = '', workspace = '', endpoint = '']: readonly string[]): Promise<void> {
  const environment = { GOOGLE_GEMINI_BASE_URL: endpoint };
  const service = new AgentService(testHost({ sessions, roots: [workspace], environment }), () =>
    crashTools(workspace),
  );
  printLine({ ready: true });
  const [known] = (await service.library?.list()) ?? [];
  const session = await (known ? service.resumeSession(known.id) : service.createSession());
  const print = (event: AgentEvent): void => {
    if (!event.id.includes('~')) printLine(event);
  };
  session.subscribe(print);
  const id = known?.id ?? (await firstRecord(session));
  await new Conductor(session, service.session(id).rewind, known !== undefined).play();
  await service.dispose();
  printLine({ done: true });
}

/** A new session has no events, and therefore no visible id, before something happens in it. */
async function firstRecord(session: Awaited<ReturnType<AgentService['createSession']>>): Promise<string> {
  await session.send({ update: { title: 'Crashes' } });
  const [first] = session.events;
  if (first?.type !== 'initialize') throw new Error('The session did not begin with its initialize event.');
  return first.sessionId;
}

function printLine(value: object): void {
  writeSync(1, `${JSON.stringify(value)}\n`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  writeSync(2, `${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
