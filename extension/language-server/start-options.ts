import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InitializeParams } from 'vscode-languageserver';
import * as z from 'zod';
import { sessionsFolder } from '../gemini-config/home-folders.ts';
import { geminiHome } from '../gemini-config/settings-files.ts';

const names = z.array(z.string()).default([]);

/** `initializationOptions`, documented in docs/language-server.md. An invalid or missing one has its default. */
const schema = z.object({
  /** Whether the user trusts the folders. Without trust, only open documents are looked at. */
  trusted: z.boolean().default(false).catch(false),
  /** The folder that contains the user's `.gemini`. */
  home: z.string().min(1).optional().catch(undefined),
  /** The language of the texts, such as `de`, and its texts by their English ones. */
  language: z.string().default('en').catch('en'),
  texts: z
    .record(z.string(), z.union([z.string(), z.object({ message: z.string(), comment: names })]))
    .optional()
    .catch(undefined),
  /** The files and folders of `gantry.policy.paths`. */
  policyPaths: names.catch([]),
  /** The names of files with instructions, if they differ from Gemini CLI's settings. */
  contextFileNames: names.catch([]),
  /** The names of the environment variables that the agent has. Values are not needed. */
  variables: names.catch([]),
  /** The shipped rules. */
  shippedPolicies: z.string().min(1).optional().catch(undefined),
  /** The commands that the client knows. Others are in no code lens and in no completion. */
  commands: names.catch([]),
  /** The `PATH` on which the agent finds programs. Without it, that of the server. */
  path: z.string().optional().catch(undefined),
  /** Whether the client checks and completes JSON files by the schemas that ship with Gantry. */
  schemas: z.boolean().default(false).catch(false),
  /** Where Gantry keeps its own files, such as the audit log. */
  gantryHome: z.string().min(1).optional().catch(undefined),
});

/** What a client may send as `initializationOptions`. */
export type GivenOptions = z.input<typeof schema>;

/** What a client says when it starts the server. */
export interface StartOptions extends Omit<z.infer<typeof schema>, 'home' | 'gantryHome'> {
  readonly home: string;
  readonly gantryHome: string;
  /** Absolute. The folders that the user opened. */
  readonly roots: readonly string[];
  readonly can: ClientAbilities;
}

/** What the client understands besides what every client does. */
export interface ClientAbilities {
  /** Completions with places for the cursor. */
  readonly snippets: boolean;
  /** Renames files as a part of an edit. */
  readonly renameFiles: boolean;
  /** Asks for code lenses again when the server has news. */
  readonly lensRefresh: boolean;
}

export function readStartOptions(
  { initializationOptions, workspaceFolders, capabilities, ...rest }: InitializeParams,
  shippedPolicies?: string,
): StartOptions {
  const read = schema.parse(typeof initializationOptions === 'object' ? (initializationOptions ?? {}) : {});
  // Clients that know no folders still send their only one.
  const { rootUri } = rest;
  const uris = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : []);
  const { home = geminiHome(process.env, homedir()), gantryHome = dirname(sessionsFolder(process.env, homedir())) } =
    read;
  const { textDocument, workspace } = capabilities;
  return {
    shippedPolicies,
    ...read,
    home,
    gantryHome,
    roots: uris.flatMap((uri) => pathOfUri(uri) ?? []),
    can: {
      snippets: textDocument?.completion?.completionItem?.snippetSupport === true,
      // Neovim renames files, and doesn't say that it takes `documentChanges`, without which that can't be asked for.
      renameFiles: workspace?.workspaceEdit?.resourceOperations?.includes('rename') === true,
      lensRefresh: workspace?.codeLens?.refreshSupport === true,
    },
  };
}

/**
 * The absolute path of a file, also of one that will be there when it is saved for the first time. Undefined for
 * documents that are not files on this machine.
 */
export function pathOfUri(uri: string): string | undefined {
  try {
    const [, place] = /^(?:file|untitled):(\/.*)$/s.exec(uri) ?? [];
    return place === undefined ? undefined : fileURLToPath(`file:${place}`);
  } catch {
    return undefined;
  }
}
