import { join, relative } from 'node:path';
import { root } from './options.mjs';

/**
 * Parts of the surface that are loaded on first use: compiling them would take a third of the activation time.
 * @type {Readonly<Record<string, string>>}
 */
export const SURFACE_LATER = {
  'replay/export-flow.ts': 'export.js',
  'models/model-picker.ts': 'models.js',
  'panel/panel-message-router.ts': 'panel.js',
  'policy/policy-files.ts': 'policies.js',
  'consent/protected-files.ts': 'protected.js',
  'rewind/rewind-flow.ts': 'rewind.js',
  'rewind/rewind-sheet.ts': 'rewind-sheet.js',
  'library/session-picker.ts': 'sessions.js',
  'session/shown-conversation.ts': 'conversation.js',
  'models/thinking-setting.ts': 'thinking.js',
  'review/editor-review.ts': 'review.js',
  'transcript/feed.ts': 'feed.js',
  'transcript/thread-feed.ts': 'thread.js',
  'actions/editor-actions.ts': 'actions.js',
  'auth/sign-in-flow.ts': 'sign-in.js',
  'input/input-features.ts': 'input.js',
  'mcp/mcp-ui.ts': 'mcp-ui.js',
  'extensions/extension-picker.ts': 'extensions.js',
  'code/code-actions.ts': 'code.js',
  'theme/theme-colours.ts': 'theme.js',
};

/** @type {(folder: string) => import('esbuild').Plugin} */
export const surfaceLaterAt = (folder) => ({
  name: 'surface-for-later',
  setup(build) {
    build.onResolve({ filter: /\.ts$/ }, ({ path, kind, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const part = relative(join(root, 'extension/vscode'), join(resolveDir, path)).replaceAll('\\', '/');
      const file = SURFACE_LATER[part];
      return file === undefined ? undefined : { path: `${folder}/${file}`, external: true };
    });
  },
});
