import { join, relative } from 'node:path';
import { root } from './options.mjs';

/**
 * Parts of the surface that are loaded on first use: compiling them would take a third of the activation time.
 * @type {Readonly<Record<string, string>>}
 */
export const SURFACE_LATER = {
  'vscode/authoring/authoring.ts': 'authoring.js',
  'vscode/language/config-files.ts': 'config-files.js',
  'vscode/language/language-service.ts': 'language.js',
  'vscode/replay/export-flow.ts': 'export.js',
  'vscode/models/model-picker.ts': 'models.js',
  'vscode/panel/panel-message-router.ts': 'panel.js',
  'vscode/policy/policy-files.ts': 'policies.js',
  'vscode/policy/rule-pages.ts': 'rule-pages.js',
  'vscode/consent/protected-files.ts': 'protected.js',
  'vscode/rewind/rewind-flow.ts': 'rewind.js',
  'vscode/rewind/rewind-sheet.ts': 'rewind-sheet.js',
  'vscode/library/session-picker.ts': 'sessions.js',
  'vscode/serving/served-agent.ts': 'serving.js',
  'vscode/session/shown-conversation.ts': 'conversation.js',
  'vscode/models/thinking-setting.ts': 'thinking.js',
  'vscode/review/editor-review.ts': 'review.js',
  'protocol/feed/feed.ts': 'feed.js',
  'vscode/panel/thread-feed.ts': 'thread.js',
  'vscode/panel/shown-request.ts': 'shown-request.js',
  'vscode/actions/editor-actions.ts': 'actions.js',
  'vscode/actions/chat-participant.ts': 'chat-participant.js',
  'vscode/actions/model-tools.ts': 'model-tools.js',
  'vscode/actions/prompt-link.ts': 'prompt-link.js',
  'vscode/auth/sign-in-flow.ts': 'sign-in.js',
  'vscode/input/input-features.ts': 'input.js',
  'vscode/mcp/mcp-ui.ts': 'mcp-ui.js',
  'vscode/extensions/extension-picker.ts': 'extensions.js',
  'vscode/code/code-actions.ts': 'code.js',
  'vscode/theme/theme-colours.ts': 'theme.js',
};

/** @type {(folder: string) => import('esbuild').Plugin} */
export const surfaceLaterAt = (folder) => ({
  name: 'surface-for-later',
  setup(build) {
    build.onResolve({ filter: /\.ts$/ }, ({ path, kind, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const part = relative(join(root, 'extension'), join(resolveDir, path)).replaceAll('\\', '/');
      const file = SURFACE_LATER[part];
      return file === undefined ? undefined : { path: `${folder}/${file}`, external: true };
    });
  },
});
