import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { AgentEvent } from '../../../extension/protocol/agent/agent-event.ts';
import { decisionsOf } from '../../../extension/protocol/transcript/tool-entry.ts';
import type { AgentService } from '../../../extension/runtime/agent-service.ts';
import { productTools } from '../../../extension/tools/product-tools.ts';
import { approvalNotice } from '../../../extension/vscode/approvals/notice.ts';
import { useAgent } from '../../support/agent.ts';
import { all, answer, message } from '../../support/conversation.ts';
import { type ChunkStep, call } from '../../support/gemini/script.ts';
import { type ExtensionFiles, installExtension, manifest } from '../../support/gemini-extensions.ts';
import { stdio } from '../../support/mcp/stdio.ts';
import { invoke, report, Subagents } from '../../support/subagents.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';
import { forEvents, prints } from '../hooks/hook-builders.ts';

type Question = Extract<AgentEvent, { type: 'elicitation_request' }>;

/** What the card says and what the notification does, as the panel and VS Code show them. */
function shownOf(question: Question): { readonly card: string; readonly notice: string } {
  const { requestId, title = '', message: subject, requestedSchema, _meta } = question;
  const request = _meta?.approval;
  assert.ok(request);
  const decisions = decisionsOf(requestedSchema);
  const pending = { callId: 'c', approval: { requestId, title, message: subject, decisions, request } };
  const { text } = approvalNotice(pending, 1);
  return { card: [title, request.why, JSON.stringify(request.details)].join('\n'), notice: text };
}

describe('What an extension brings along', () => {
  const agent = useAgent();
  const agents = new Subagents(agent);
  let home: TempFolder;
  beforeEach(async () => {
    home = await tempFolder('extension-approvals');
  });
  afterEach(() => home.dispose());

  async function open(files: ExtensionFiles): Promise<AgentService> {
    await installExtension(home.path, 'issues', files);
    const environment = {
      GOOGLE_GEMINI_BASE_URL: agent.endpoint.url,
      GEMINI_CLI_HOME: home.path,
      PATH: process.env['PATH'] ?? '',
    };
    const service = agent.open(productTools, { environment });
    await Promise.all([service.hooks.look(), service.mcp.refresh(), service.agents.refresh()]);
    await service.hooks.accept(service.hooks.waiting.map(({ hash }) => hash));
    await service.mcp.accept(service.mcp.statuses.map(({ definition }) => definition.hash));
    for (const waiting of service.agents.waiting) await service.agents.accept(waiting);
    await Promise.all(service.mcp.servers.map(({ settled }) => settled));
    return service;
  }

  async function questionsOf(service: AgentService, text: string): Promise<readonly Question[]> {
    const session = await service.createSession();
    const asked: Question[] = [];
    session.subscribe((event) => {
      if (event.type !== 'elicitation_request') return;
      asked.push(event);
      void session.send(answer(event.requestId, 'decline'));
    });
    await all(session, message(text));
    return asked;
  }

  async function onlyQuestion(files: ExtensionFiles, calls: ChunkStep): Promise<ReturnType<typeof shownOf>> {
    agent.endpoint.reply(calls);
    agent.endpoint.reply('done');
    const [question, ...more] = await questionsOf(await open(files), 'Go');
    assert.ok(question && more.length === 0);
    return shownOf(question);
  }

  const RULE = '[[rule]]\ntoolName = "glob"\ndecision = "ask_user"\npriority = 500\n';
  const AGENT = '---\nname: reviewer\ndescription: Reviews\ntools: [run_shell_command]\n---\nReview.\n';

  it('asks in its name by a rule', async () => {
    const shown = await onlyQuestion({ 'policies/r.toml': RULE }, call('glob', { pattern: '*' }));
    assert.match(shown.card, /"glob" requires approval\. Rule r\.toml:1 \(extension issues\)/);
    assert.match(shown.notice, /Rule r\.toml:1 \(extension issues\)/);
  });

  it('asks in its name by a hook', async () => {
    const asks = prints({ decision: 'ask', reason: 'Are you sure?' });
    const files = { 'hooks/hooks.json': JSON.stringify({ hooks: forEvents({ BeforeTool: asks }) }) };
    const shown = await onlyQuestion(files, call('glob', { pattern: '*' }));
    assert.match(shown.card, /\nAre you sure\? \(extension issues\) A hook asks for your decision\./);
    assert.match(shown.notice, /Are you sure\? \(extension issues\) A hook/);
  });

  it('asks in its name by a hook that gave no answer', async () => {
    const files = { 'hooks/hooks.json': JSON.stringify({ hooks: forEvents({ BeforeTool: 'kill -9 $$' }) }) };
    const shown = await onlyQuestion(files, call('glob', { pattern: '*' }));
    assert.match(shown.card, /\(extension issues\) A hook asks for your decision\./);
  });

  it('asks in its name for a tool of its server', async () => {
    const files = { 'gemini-extension.json': manifest('issues', { mcpServers: { tracker: stdio('good') } }) };
    const shown = await onlyQuestion(files, call('mcp_tracker_echo', { text: 'x' }));
    assert.match(shown.card, /^Allow .*\(tracker, extension issues\)\?/);
    assert.match(shown.notice, /^Allow .*\(tracker, extension issues\)\?/);
  });

  it('asks in its name for a skill', async () => {
    const skill = '---\nname: triage\ndescription: Sorts.\n---\nSort.\n';
    const shown = await onlyQuestion({ 'skills/triage/SKILL.md': skill }, call('activate_skill', { name: 'triage' }));
    assert.match(shown.card, /triage \(extension issues\): Sorts\./);
    assert.match(shown.notice, /triage \(extension issues\): Sorts\./);
  });

  it('asks in its name for handing a task to its agent', async () => {
    const rule = RULE.replace('glob', 'invoke_agent');
    const files = { 'agents/reviewer.md': AGENT, 'policies/r.toml': rule };
    const shown = await onlyQuestion(files, invoke('reviewer', 'Review it all'));
    assert.match(shown.card, /reviewer \(extension issues\): Review it all/);
    assert.match(shown.notice, /“reviewer \(extension issues\): Review it all”/);
  });

  it('asks in its name for what its agent does', async () => {
    agents.script('Go', invoke('reviewer', 'Review'), 'Thanks.');
    agents.script('Review', call('run_shell_command', { command: 'touch x' }), report('Could not.'));
    const [question] = await questionsOf(await open({ 'agents/reviewer.md': AGENT }), 'Go');
    assert.ok(question);
    const { card, notice } = shownOf(question);
    assert.match(card, /\nAsked by the agent reviewer \(extension issues\)\. Commands require approval\./);
    assert.match(notice, /Asked by the agent reviewer \(extension issues\)\. Commands require approval\./);
  });
});
