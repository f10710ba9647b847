import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it } from 'mocha';
import type { AgentSession } from '../../../../extension/protocol/agent/agent-session.ts';
import { Transcript } from '../../../../extension/protocol/transcript/transcript.ts';
import { idOf, openQuestions, unansweredCalls, untilEvent, useAgent } from '../../../support/agent.ts';
import { all, answer, message, outline } from '../../../support/conversation.ts';
import { markTool } from '../../../support/crash/mark-tool.ts';
import { crashProgram } from '../../../support/dist.ts';
import { call } from '../../../support/gemini/script.ts';
import { eventually } from '../../../support/poll.ts';
import { invoke, isOf, report, responses, Subagents, threadsOf } from '../../../support/subagents.ts';

describe('An agent that requires approval when its process is killed', () => {
  const agent = useAgent();
  const agents = new Subagents(agent);
  const open = () => agents.open([markTool(agent.workspace)]);
  const marks = () => readFile(join(agent.workspace, 'marks.txt'), 'utf8').catch(() => '');

  /** Plays until so many questions wait, kills the process and returns the id of its session. */
  async function killAt(questions: number): Promise<string> {
    const { sessions, workspace, endpoint } = agent;
    const args = [crashProgram('waiting-agent'), sessions, workspace, endpoint.url, agents.home];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(child, 'exit');
    const ids: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      ids.push(line);
      if (ids.length === questions) child.kill('SIGKILL');
    }
    await exited;
    assert.equal(ids.length, questions);
    return ids[0] ?? '';
  }

  /** What nobody could end any more, in the conversation and in the threads of its agents. */
  function stillOpen(session: AgentSession): string[] {
    const transcript = new Transcript();
    for (const event of session.events) transcript.apply(event);
    const threads = threadsOf(session).flatMap((thread) => transcript.thread(thread)?.entries ?? []);
    return [...transcript.entries, ...threads].flatMap((entry) => {
      if (entry.kind !== 'tool') return [];
      const { name, status, approval, agent: work } = entry;
      const steps = (work?.steps ?? []).filter((step) => step.status === 'running').map((step) => `${step.name} runs`);
      return [
        ...(status === 'running' ? [`${name} runs`] : []),
        ...(approval ? [`${name} asks`] : []),
        ...(work?.waits ? [`${name} waits`] : []),
        ...steps,
      ];
    });
  }

  it('leaves a conversation that reports this and can continue', async () => {
    await agents.define('smith', 'tools: [write_file]');
    agents.script('Go', invoke('smith', 'Forge'), 'never', 'I see.');
    agents.script('Forge', call('write_file'), report('never'));
    const id = await killAt(1);
    const service = open();
    const session = await service.resumeSession(id);
    assert.equal(service.activityOf(id), undefined);
    assert.deepEqual(service.questions.items, []);
    assert.match(responses(session).join(), /^invoke_agent Gantry was closed while invoke_agent was running/);
    assert.deepEqual(
      [openQuestions(session), unansweredCalls(session.events.filter(isOf(undefined))), stillOpen(session)],
      [[], [], []],
    );
    assert.equal(outline(await all(session, message('And?'))).at(-1), 'agent_end completed');
    assert.equal(await marks(), '');
    assert.equal(agents.requestsOf('Forge').length, 1);
  });

  it('waits for it again where it is opened as a session, and runs nothing before', async () => {
    await agents.define('smith', 'tools: [write_file]');
    agents.script('Go', invoke('smith', 'Forge'), 'I see.');
    agents.script('Forge', call('write_file'), report('Forged.'));
    const id = await killAt(1);
    const service = open();
    const [thread = ''] = threadsOf(await service.resumeSession(id));
    const log = await service.library?.read(thread);
    assert.deepEqual([log?.header.parent?.sessionId, log?.records.at(-1)?.type], [id, 'asked']);
    const child = await service.resumeSession(thread);
    assert.equal(idOf(child), thread);
    await eventually('its question', () => service.activityOf(thread) === 'waits');
    assert.equal(await marks(), '');
    const over = untilEvent(child, ({ type }) => type === 'agent_end');
    await child.send(answer(openQuestions(child)[0] ?? '', 'accept'));
    await over;
    assert.equal(await marks(), 'ran\n');
    assert.deepEqual(unansweredCalls(child.events), []);
  });

  it('may be two levels below', async () => {
    await agents.define('outer', 'tools: [invoke_agent, write_file]');
    await agents.define('smith', 'tools: [write_file]');
    agents.script('Go', invoke('outer', 'Organise'), 'never', 'I see.');
    agents.script('Organise', invoke('smith', 'Forge'), report('never'));
    agents.script('Forge', call('write_file'), report('never'));
    const id = await killAt(1);
    const service = open();
    const session = await service.resumeSession(id);
    assert.deepEqual(
      [openQuestions(session), unansweredCalls(session.events.filter(isOf(undefined))), stillOpen(session)],
      [[], [], []],
    );
    assert.equal(threadsOf(session).length, 2);
    assert.equal(outline(await all(session, message('And?'))).at(-1), 'agent_end completed');
    assert.equal(await marks(), '');
  });
});
