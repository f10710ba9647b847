import * as l10n from '@vscode/l10n';
import type { McpServerStatus } from '../../mcp/mcp-servers.ts';

/** The actions for a server, named as in `/mcp`. */
export const SERVER_ACTS = [
  'review',
  'signin',
  'tools',
  'restart',
  'enable',
  'disable',
  'signout',
  'open',
  'log',
] as const;

export type ServerAct = (typeof SERVER_ACTS)[number];

/** The actions that make sense in the current state of a server, the most helpful first. */
export function actsFor({ state, definition }: Pick<McpServerStatus, 'state' | 'definition'>): readonly ServerAct[] {
  const isRemote = definition.reach.kind !== 'stdio';
  switch (state.kind) {
    case 'waiting':
      return ['review', 'open', 'log'];
    case 'disabled':
      return ['enable', 'open', 'log'];
    case 'needs-sign-in':
      return ['signin', 'disable', 'open', 'log'];
    case 'failed':
      return ['restart', ...(isRemote ? (['signin'] as const) : []), 'disable', 'open', 'log'];
    default:
      return [
        ...(state.kind === 'ready' ? (['tools'] as const) : []),
        'restart',
        'disable',
        ...(isRemote ? (['signout'] as const) : []),
        'open',
        'log',
      ];
  }
}

export function actLabel(act: ServerAct): string {
  return {
    review: l10n.t('Review…'),
    signin: l10n.t('Sign In…'),
    tools: l10n.t('Show Tools'),
    restart: l10n.t('Restart'),
    enable: l10n.t('Turn On'),
    disable: l10n.t('Turn Off in This Workspace'),
    signout: l10n.t('Sign Out'),
    open: l10n.t('Open Definition'),
    log: l10n.t('Show Log'),
  }[act];
}

/** Names of VS Code's icons. */
export const ACT_ICONS: Readonly<Record<ServerAct, string>> = {
  review: 'shield',
  signin: 'sign-in',
  tools: 'tools',
  restart: 'debug-restart',
  enable: 'play',
  disable: 'circle-slash',
  signout: 'sign-out',
  open: 'go-to-file',
  log: 'output',
};
