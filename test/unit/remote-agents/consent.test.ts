import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import type { AgentService } from '../../../extension/runtime/agent-service.ts';
import { openQuestions, untilAsked } from '../../support/agent.ts';
import { answer, drain, message } from '../../support/conversation.ts';
import type { A2aSite } from '../../support/remote-agents/a2a-site.ts';
import { useRemoteAgents } from '../../support/remote-agents/remote-suite.ts';
import { invoke } from '../../support/subagents.ts';

describe('The consent to a remote agent', () => {
  const remote = useRemoteAgents();
  let version = 1;

  async function site(): Promise<A2aSite> {
    version = 1;
    return remote.site((turn) => turn.begin().say('a', 'Done.').end(), {
      cardChanges: () => ({ version: `${version}` }),
    });
  }

  /** The model hands over the task. Returns the text of the first question, which is answered like this. */
  async function asked(service: AgentService, action: 'accept' | 'decline', decision = 'once'): Promise<string> {
    remote.agents.script('Go', invoke('far', 'Look'), 'Thanks.');
    const session = await service.createSession();
    const run = drain(session.sendStream(message('Go')));
    const question = await untilAsked(session);
    const [requestId = ''] = openQuestions(session);
    const content = action === 'accept' ? { decision } : {};
    await session.send({ elicitations: [{ requestId, action, content }] });
    await run;
    const details = question._meta?.approval?.details;
    return details?.type === 'info' ? details.text : '';
  }

  function everyQuestion({ events }: AgentSession): number {
    return events.filter(({ type }) => type === 'elicitation_request').length;
  }

  it('is asked for by default, with the address that the task goes to', async () => {
    const { url, cardUrl, messages } = await site();
    await remote.define({ cardUrl });
    const service = remote.open({ approvalMode: 'autoEdit' });
    assert.equal(
      await asked(service, 'decline'),
      `This task is sent to the remote agent at ${url}/rpc (Tests).\n\nfar: Look`,
    );
    assert.deepEqual(messages, []);
    await asked(service, 'accept');
    assert.deepEqual(messages, ['Look']);
  });

  it('for the session is for this agent alone', async () => {
    const { cardUrl } = await site();
    await remote.define({ cardUrl });
    await remote.agents.define('other', 'kind: remote', `agent_card_url: ${cardUrl}`);
    remote.agents.script('Go', invoke('far', 'Look'), invoke('far', 'Look again'), invoke('other', 'Look'), 'Thanks.');
    const service = remote.open({ approvalMode: 'default' });
    const session = await service.createSession();
    const run = drain(session.sendStream(message('Go')));
    await untilAsked(session);
    const [first = ''] = openQuestions(session);
    await session.send({ elicitations: [{ requestId: first, action: 'accept', content: { decision: 'session' } }] });
    while (openQuestions(session).length === 0) await new Promise((resolve) => setImmediate(resolve));
    const [second = ''] = openQuestions(session);
    await session.send(answer(second, 'decline'));
    await run;
    assert.equal(everyQuestion(session), 2);
  });

  it('cannot be given where nobody is there, unless a rule names the agent', async () => {
    const { cardUrl, messages } = await site();
    await remote.define({ cardUrl });
    const alone = { approvalMode: 'default', interactive: false } as const;
    assert.match(
      (await remote.run(remote.open(alone))).result,
      /requires the user's approval, and nobody can be asked/,
    );
    assert.deepEqual(messages, []);
    const policy = join(remote.agent.workspace, 'rules.toml');
    await writeFile(policy, '[[rule]]\ntoolName = "far"\ndecision = "allow"\npriority = 100\n');
    assert.match((await remote.run(remote.open({ ...alone, policyPaths: [policy] }))).result, /Done\./);
  });

  it('is about the card: a changed one is asked about in every mode, and its hash is stored', async () => {
    const { cardUrl, messages } = await site();
    await remote.define({ cardUrl });
    const first = remote.open();
    assert.match((await remote.run(first)).result, /Done\./);
    await first.dispose();
    version = 2;
    const service = remote.open();
    const refused = await remote.run(service);
    assert.match(
      refused.result,
      /agent card has changed since the user agreed to it: requests would go to .* Nothing was sent\./,
    );
    assert.deepEqual(messages, ['Look']);
    assert.match(await asked(service, 'accept'), /Its agent card has changed since you agreed to it\./);
    assert.deepEqual(messages, ['Look', 'Look']);
    const again = await remote.run(service);
    assert.equal(everyQuestion(again.session), 0);
    const stored = await readFile(join(remote.agent.sessions, '..', 'accepted-cards.json'), 'utf8');
    assert.match(stored, /far\.md#far": "[0-9a-f]{64}"/);
  });

  it('is needed in every mode if the card names another host, and the host that is shown is the one that is used', async () => {
    const there = await site();
    const here = await remote.site((turn) => turn.begin().say('a', 'Not this one.').end(), {
      cardChanges: () => ({
        supportedInterfaces: [
          { url: `${here.url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '0.3', tenant: '' },
          { url: `${there.url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' },
        ],
      }),
    });
    await remote.define({ cardUrl: here.cardUrl });
    const service = remote.open();
    const { result } = await remote.run(service);
    assert.match(result, /names another host than its definition: requests would go to .* Nothing was sent\./);
    assert.deepEqual([here.messages, there.messages], [[], []]);
    assert.match(await asked(service, 'accept'), new RegExp(`at ${there.url}/rpc`));
    assert.deepEqual([here.messages, there.messages], [[], ['Look']]);
  });

  it('to a card that was changed between the question and the answer does not count', async () => {
    const { cardUrl, messages } = await site();
    await remote.define({ cardUrl });
    await remote.run();
    version = 2;
    const service = remote.open();
    await remote.run(service);
    remote.agents.script('Go', invoke('far', 'Look'), 'Thanks.');
    const session = await service.createSession();
    const run = drain(session.sendStream(message('Go')));
    await untilAsked(session);
    version = 3;
    await session.send(answer(openQuestions(session)[0] ?? '', 'accept'));
    await run;
    assert.match(remote.handed(session).result, /agent card has changed/);
    assert.equal(messages.length, 1);
  });

  it('is needed for the file of a folder, and again after it changed', async () => {
    const { cardUrl, requests } = await site();
    const file = join(remote.agent.workspace, '.gemini/agents/far.md');
    await mkdir(join(remote.agent.workspace, '.gemini/agents'), { recursive: true });
    const text = `---\nkind: remote\nname: far\nagent_card_url: ${cardUrl}\n---\n`;
    await writeFile(file, text);
    const service = remote.open();
    await service.agents.refresh();
    assert.equal(service.agents.agent('far'), undefined);
    for (const waiting of service.agents.waiting) await service.agents.accept(waiting);
    assert.equal(service.agents.agent('far')?.kind, 'remote');
    await writeFile(file, text.replace('---\n', '---\ndisplay_name: Far\n'));
    await service.agents.refresh();
    assert.equal(service.agents.agent('far'), undefined);
    assert.deepEqual(requests, []);
  });

  it('does not exist in Restricted Mode', async () => {
    const { cardUrl, requests } = await site();
    await remote.define({ cardUrl });
    const service = remote.open({ trusted: false });
    assert.match((await remote.run(service)).result, /folder is not trusted/);
    const listed = service.agents.listed().find(({ definition }) => definition.name === 'far');
    assert.equal(listed?.unusable?.reason, 'restricted');
    assert.deepEqual(requests, []);
  });
});
