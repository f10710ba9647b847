import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Proposal, Tool, ToolContext, ToolResult } from '../../extension/ports/tool.ts';
import { BlobStore } from '../../extension/sessions/files/blob-store.ts';
import { BufferedFiles } from '../../extension/sessions/files/buffered-files.ts';
import { DiskFiles } from '../../extension/sessions/files/disk-files.ts';
import { type FileChangeBody, FileChanges } from '../../extension/sessions/files/file-changes.ts';
import { applyRestore, previewRestore, type RestoreOutcome } from '../../extension/sessions/files/file-rewind.ts';
import { planRewind } from '../../extension/sessions/files/restore-plan.ts';
import { OpenDocuments } from './open-documents.ts';
import { createTempWorkspace, type TempWorkspace, type WorkspaceFiles } from './temp-workspace.ts';
import { createToolContext } from './tool-context.ts';

/** A workspace whose files tools change as in a stored session, with an editor that may have files open. */
export interface EditWorkspace extends TempWorkspace {
  readonly documents: OpenDocuments;
  readonly log: FileChangeBody[];
  at(name: string): string;
  bytes(name: string): Promise<Buffer>;
  text(name: string): Promise<string>;
  context(changes?: Partial<ToolContext>): ToolContext;
  run(tool: Tool, args: Record<string, unknown>, changes?: Partial<ToolContext>): Promise<ToolResult>;
  propose(tool: Tool, args: Record<string, unknown>): Promise<Proposal>;
  /** Restores everything to its state before the first change. */
  rewind(): Promise<RestoreOutcome[]>;
}

export async function createEditWorkspace(initial: WorkspaceFiles = {}): Promise<EditWorkspace> {
  const workspace = await createTempWorkspace(initial);
  const store = await createTempWorkspace();
  const documents = new OpenDocuments();
  const blobs = new BlobStore(join(store.path, 'blobs'));
  const files = new BufferedFiles(new DiskFiles({ roots: () => [workspace.path] }), documents);
  const log: FileChangeBody[] = [];
  const changes = new FileChanges({ blobs, files, record: (body) => log.push(body), synced: () => Promise.resolve() });
  const at = (name: string): string => join(workspace.path, name);
  const context = (more: Partial<ToolContext> = {}): ToolContext =>
    createToolContext([workspace.path], {
      files: documents,
      writeFile: (path, content, change) => changes.write(path, content, { callId: 'call-1' }, change),
      ...more,
    });
  return {
    ...workspace,
    documents,
    log,
    at,
    bytes: (name) => readFile(at(name)),
    text: (name) => readFile(at(name), 'utf8'),
    context,
    run: (tool, args, more) => tool.execute(tool.schema.parse(args), context(more)),
    propose: async (tool, args) => {
      const outcome = await tool.propose?.(tool.schema.parse(args), context());
      if (!outcome || !('proposal' in outcome)) throw new Error(outcome?.failed.error?.message ?? 'no proposal');
      return outcome.proposal;
    },
    rewind: async () => {
      const steps = await previewRestore(planRewind(log, 0), blobs, files);
      return applyRestore(steps, { overwrite: new Set() }, changes, blobs, 'rewind');
    },
    dispose: async () => {
      await workspace.dispose();
      await store.dispose();
    },
  };
}
