import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ProblemError } from '../../extension/protocol/agent/problem.ts';
import { openDocument, unsavedText } from '../../extension/vscode/editor/open-documents.ts';
import { EXTENSION_ID } from '../../extension/vscode/names.ts';
import { EditorReview } from '../../extension/vscode/review/editor-review.ts';
import { call } from '../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../support/gemini/server.ts';
import { eventually } from '../support/poll.ts';
import { testHost } from '../support/test-host.ts';
import { Editors } from './editors.ts';
import { PanelWindow, stateIn } from './panel-window.ts';

describe('Comments on changes that were applied already', () => {
  let editors: Editors;
  let endpoint: GeminiEndpoint;
  let kept: Map<string, unknown>;
  let window: PanelWindow;
  let review: EditorReview;
  let controller: vscode.CommentController;

  beforeEach(async () => {
    editors = await Editors.create();
    endpoint = await startGeminiEndpoint();
    controller = vscode.comments.createCommentController('test', 'Test');
    kept = new Map();
    open();
  });
  afterEach(async () => {
    await close();
    controller.dispose();
    await endpoint.dispose();
    await editors.dispose();
  });

  function open(): void {
    const environment = { GOOGLE_GEMINI_BASE_URL: endpoint.url };
    const host = testHost({ sessions: editors.path('sessions'), environment, approvalMode: 'autoEdit' });
    const assets = join(vscode.extensions.getExtension(EXTENSION_ID)?.extensionPath ?? '', 'dist', 'assets');
    const workspace = { roots: () => [editors.folder.path], isTrusted: () => true };
    window = new PanelWindow({ ...host, assets, workspace, files: { unsavedText, openDocument } }, kept);
    review = new EditorReview(window.session, stateIn(kept), host.log, `gantry-test-${randomUUID()}`);
    window.end.say({ type: 'ready' });
  }

  async function close(): Promise<void> {
    review.dispose();
    await window.close();
  }

  /** In autoEdit, so nobody is asked. */
  async function changedFile(): Promise<vscode.Uri> {
    const path = await editors.write('a.txt', 'one\ntwo\n');
    endpoint.reply(call('write_file', { file_path: path, content: 'one\n2\n' }));
    endpoint.reply('done');
    await window.ask('Go on');
    const item = await eventually('the change', () => review.applied.items[0]);
    await review.applied.open(item.id, { preserveFocus: false });
    return vscode.Uri.file(path);
  }

  function comment(uri: vscode.Uri, text: string): vscode.CommentThread {
    const thread = controller.createCommentThread(uri, new vscode.Range(1, 0, 1, 0), []);
    review.addComment({ thread, text });
    return thread;
  }

  async function told(text: string): Promise<string> {
    endpoint.reply('I see.');
    await window.ask(text);
    return JSON.stringify(endpoint.requests.at(-1)?.contents);
  }

  it('say when they go, go with the next message once, and say that they went', async () => {
    const thread = comment(await changedFile(), 'Roman, please');
    assert.equal(thread.label, 'Goes to Gantry with your next message');
    assert.match(await told('Well?'), /a\.txt, line 2:\\n> 2\\nRoman, please.*Well\?/);
    assert.equal(thread.label, 'Sent to Gantry');
    assert.equal((await told('And?')).match(/Roman, please/g)?.length, 1);
  });

  it('outlive a reload and the verdict, unsent, and are not sent after they were deleted', async () => {
    const uri = await changedFile();
    comment(uri, 'Roman, please');
    const other = comment(uri, 'Arabic is fine');
    review.deleteComment(other);
    const [item] = review.applied.items;
    await review.applied.accept(item?.id ?? '');
    await close();
    open();
    await eventually('the comment', () => window.session.changes?.comments.waiting.length === 1);
    const sent = await told('Well?');
    assert.match(sent, /Roman, please/);
    assert.doesNotMatch(sent, /Arabic/);
  });

  it('keep the words that cannot be sent, and say so', async () => {
    const uri = await changedFile();
    const thread = controller.createCommentThread(uri, new vscode.Range(1, 0, 1, 0), []);
    await window.session.startNew();
    const isRefused = (error: unknown): boolean => ProblemError.is(error);
    assert.throws(() => review.addComment({ thread, text: 'Roman, please' }), isRefused);
    assert.match(thread.label ?? '', /^Not sent\. .*not open/);
    assert.deepEqual(
      thread.comments.map(({ body }) => body),
      ['Roman, please'],
    );
  });
});
