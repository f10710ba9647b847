import * as l10n from '@vscode/l10n';
import type { PanelState } from '../../../protocol/panel/panel-messages.ts';
import { formatCost, textLocale } from '../../../protocol/words/numbers.ts';
import type { ListedTool } from '../../../runtime/knowledge/listed-tools.ts';
import type { TelemetryState } from '../../../telemetry/telemetry.ts';
import { Commands } from '../../names.ts';
import type { FilePlace, NoticeRow, SlashCommand, SlashNotice } from '../../suggestions/slash-command.ts';

/** Lists all commands, then the keys of the panel. */
export function helpNotice(commands: ReadonlyMap<string, SlashCommand>, keys: readonly NoticeRow[]): SlashNotice {
  const rows = [...commands].map(([name, { hint, description, aliases = [] }]) => {
    const value =
      aliases.length > 0
        ? l10n.t('{0} (also {1})', description, aliases.map((alias) => `/${alias}`).join(', '))
        : description;
    return { name: `/${name}${hint === undefined ? '' : ` ${hint}`}`, value };
  });
  return { title: l10n.t('Commands and keys'), rows: [...rows, ...keys] };
}

interface Use {
  readonly turns: number;
  readonly tokens: number;
  readonly cost: number;
  readonly milliseconds: number;
}

/** `log` is the path of the session's log. */
export function statsNotice(
  use: Use,
  { model, context, spent }: Pick<PanelState, 'model' | 'context' | 'spent'>,
  telemetry: TelemetryState,
  log?: string,
): SlashNotice {
  const share = context.window > 0 ? Math.round((context.used / context.window) * 100) : 0;
  const { input, cached = 0 } = spent;
  return {
    title: l10n.t('This session'),
    rows: [
      { name: l10n.t('Model'), value: model },
      { name: l10n.t('Requests'), value: numbered(use.turns) },
      { name: l10n.t('Tokens'), value: numbered(use.tokens) },
      ...(input > 0
        ? [
            {
              name: l10n.t('Cached input'),
              value: l10n.t(
                '{0} of {1} tokens ({2}%)',
                numbered(cached),
                numbered(input),
                Math.round((cached / input) * 100),
              ),
            },
          ]
        : []),
      {
        name: l10n.t('Context'),
        value: l10n.t('{0} of {1} tokens ({2}%)', numbered(context.used), numbered(context.window), share),
      },
      ...(use.cost > 0 ? [{ name: l10n.t('Cost'), value: formatCost({ amount: use.cost }) }] : []),
      { name: l10n.t('Working time'), value: timeText(use.milliseconds) },
      ...telemetryRows(telemetry),
      ...(log === undefined ? [] : [{ name: l10n.t('Stored in'), value: log, file: { path: log } }]),
    ],
    actions: [{ label: l10n.t('Show what the model gets'), command: Commands.showRequest }],
  };
}

/** What is sent, and where. Nothing is shown if the user named no receiver. */
function telemetryRows(state: TelemetryState): readonly NoticeRow[] {
  const name = l10n.t('Telemetry');
  switch (state.kind) {
    case 'off':
      return [];
    case 'blocked':
      return [{ name, value: l10n.t("Off, because VS Code's telemetry is turned off") }];
    case 'refused':
      return [{ name, value: l10n.t('Off: {0}', state.why) }];
    case 'on': {
      const { place, sent, dropped } = state;
      const value =
        dropped > 0
          ? l10n.t('Spans and metrics to {0}: {1} sent, {2} dropped', place, numbered(sent), numbered(dropped))
          : l10n.t('Spans and metrics to {0}: {1} sent', place, numbered(sent));
      return [{ name, value }];
    }
  }
}

/** `placeOf` returns the file that defines an MCP server, if there is one. */
export function toolsNotice(
  tools: readonly ListedTool[],
  isTrusted: boolean,
  placeOf: (server: string) => FilePlace | undefined = () => undefined,
): SlashNotice {
  const isOff = (kind: string): boolean => !isTrusted && kind !== 'read' && kind !== 'search';
  return {
    title: isTrusted ? l10n.t('Tools') : l10n.t('Tools (only reading and searching in Restricted Mode)'),
    rows: tools.map(({ name, kind, summary, server }) => {
      const file = server === undefined ? undefined : placeOf(server);
      return { name, value: isOff(kind) ? l10n.t('Off. {0}', summary) : summary, ...(file && { file }) };
    }),
    actions: [{ label: l10n.t('Open policies'), command: Commands.openPolicies }],
  };
}

interface Folder {
  readonly name: string;
  readonly uri: { readonly fsPath: string };
}

export function foldersNotice(folders: readonly Folder[], isTrusted: boolean): SlashNotice {
  if (folders.length === 0) return { title: l10n.t('No folder is open'), rows: [] };
  return {
    title: isTrusted ? l10n.t('Folders') : l10n.t('Folders (Restricted Mode: Gantry only reads in them)'),
    rows: folders.map(({ name, uri }) => ({ name, value: uri.fsPath })),
  };
}

function numbered(count: number): string {
  return count.toLocaleString(textLocale());
}

export function timeText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
