import * as l10n from '@vscode/l10n';
import type { ApprovalDetails } from '../../protocol/agent/approval.ts';
import { decisionButtons } from '../../protocol/agent/decisions.ts';
import { ruleWords } from '../../protocol/words/rule-links.ts';
import { visiblePieces } from '../../protocol/words/visible-text.ts';
import { withoutLinks } from '../base/escape-ui-text.ts';
import { Commands } from '../names.ts';
import type { PendingApproval } from './pending-list.ts';

/** The action of a button in a notification. An answer without a decision is a rejection. */
export type NoticeAct =
  | { readonly kind: 'show' | 'openDiff' }
  | { readonly kind: 'answer'; readonly answer: NoticeAnswer };

export interface NoticeAnswer {
  readonly decision?: string;
  readonly grant?: string;
  readonly scope?: 'workspace';
}

export interface NoticeChoice {
  readonly label: string;
  readonly act: NoticeAct;
}

export interface ApprovalNotice {
  readonly text: string;
  readonly choices: readonly NoticeChoice[];
}

/** About six lines of a notification. VS Code cuts at 1000 characters, but few users would read that far. */
const LONGEST = 420;
const LONGEST_PART = 160;
/** Two lines replaced by two. For edits of this size, line counts are enough; larger edits must be read on the card. */
const FEW_LINES = 4;

/**
 * Shows a question as a notification. It offers approval only if it can show the request exactly: VS Code joins lines
 * and collapses spaces. The first button is never an approval, because VS Code's own shortcut for notifications presses
 * it (Ctrl+Shift+A, which toggles a block comment in an editor on Linux). VS Code truncates more than four buttons.
 */
export function approvalNotice({ approval, sessionId, callId }: PendingApproval, total: number): ApprovalNotice {
  const { title, message, decisions, request } = approval;
  const place = placeOf(total, sessionId !== undefined, request?.agent);
  if (callId === undefined) {
    return { text: shortened(`${place}${title}. ${message}`), choices: [show(), choice(l10n.t('Stop here'), {})] };
  }
  const grant = request?.grants[0];
  const why = request && ruleWords(request.why);
  const { primary, wider } = decisionButtons(decisions);
  const isEdit = request?.details?.type === 'edit';
  // "Open diff" is the fourth button of an edit. The card offers "Always allow".
  const wide = grant ? wider.filter(({ decision }) => !isEdit || decision !== 'always') : [];
  const scope = grant && wide.length > 0 ? scopeText(grant.covers, isEdit) : '';
  const textFor = (shown: ApprovalDetails | undefined): string =>
    `${place}${[title, whatOf(shown, message), why, scope].filter(Boolean).join(' ')}`;
  const full = withFullPaths(request?.details);
  const details = isExact(textFor(full)) ? full : request?.details;
  const what = whatOf(details, message);
  const text = textFor(details);
  const no = choice(details?.type === 'ask_user' ? l10n.t('Skip') : l10n.t('Reject'), {});
  if (what === undefined || !primary || !isExact(text) || valuesOf(details, message).some(endsQuotes)) {
    return { text: shortened(`${place}${title} ${what ?? message}`), choices: [show(), no] };
  }
  if (details?.type === 'edit' && isToBeRead(details)) {
    const asked = [title, what, why, l10n.t('Read it first.')].filter(Boolean).join(' ');
    return { text: `${place}${asked}`, choices: [openDiff(), show(), no] };
  }
  const yes = [
    choice(primary.label, { decision: primary.decision }),
    ...wide.map(({ label, decision }) =>
      choice(label, {
        decision,
        ...(grant && { grant: grant.id }),
        ...(decision === 'always' && { scope: 'workspace' as const }),
      }),
    ),
  ];
  const hasDiff = details?.type === 'edit';
  return {
    text: `${text} ${links(approval.requestId)}`,
    choices: hasDiff ? [openDiff(), ...yes, no] : [no, ...yes],
  };
}

function scopeText(covers: string, isEdit: boolean): string {
  return isEdit
    ? l10n.t('Allow for this session: {0}', covers)
    : l10n.t('Allow for this session, or always in this folder: {0}', covers);
}

const show = (): NoticeChoice => ({ label: l10n.t('Show'), act: { kind: 'show' } });
const openDiff = (): NoticeChoice => ({ label: l10n.t('Open diff'), act: { kind: 'openDiff' } });

/** The text before the question: its position, its session and its agent. */
function placeOf(total: number, isElsewhere: boolean, agent: string | undefined): string {
  const first = total > 1 ? `${l10n.t('(1 of {0})', total)} ` : '';
  const where = isElsewhere ? `${l10n.t('In another session:')} ` : '';
  return `${first}${where}${agent === undefined ? '' : `${l10n.t('The agent {0}:', agent)} `}`;
}

function links(requestId: string): string {
  const argument = encodeURIComponent(JSON.stringify([requestId]));
  const show = `[${l10n.t('Show')}](command:${Commands.focusApproval}?${argument})`;
  return `${show} [${l10n.t('Write a rule…')}](command:${Commands.writeRule}?${argument})`;
}

function choice(label: string, answer: NoticeAnswer): NoticeChoice {
  return { label, act: { kind: 'answer', answer } };
}

/** The quotes are the same in every language, because `isExact` and `endsQuotes` check for them. */
function quoted(value: string): string {
  return `“${value}”`;
}

/** Describes exactly what would happen. Returns undefined for a request that must be read or filled in on its card. */
function whatOf(details: ApprovalDetails | undefined, message: string): string | undefined {
  switch (details?.type) {
    case 'exec':
      return l10n.t('{0} in {1}.', quoted(details.command), quoted(details.folder));
    case 'edit':
      return `${details.files.map(({ path, added, removed }) => `${quoted(path)} (+${added} −${removed})`).join(', ')}.`;
    case 'fetch':
      return `${details.urls.map(quoted).join(', ')}.`;
    case 'mcp':
      return l10n.t(
        '{0} of the server {1} with {2}.',
        quoted(details.tool),
        quoted(details.server),
        quoted(details.args),
      );
    case 'info':
      return `${quoted(details.text)}.`;
    case 'plan':
    case 'ask_user':
      return undefined;
    default:
      return `${quoted(message)}.`;
  }
}

/** Shows full paths, because workspace folders can have the same name. */
function withFullPaths(details: ApprovalDetails | undefined): ApprovalDetails | undefined {
  if (details?.type !== 'edit') return details;
  return { ...details, files: details.files.map((file) => ({ ...file, path: file.fullPath ?? file.path })) };
}

/** The values that the notification shows in quotes. */
function valuesOf(details: ApprovalDetails | undefined, message: string): readonly string[] {
  switch (details?.type) {
    case 'exec':
      return [details.command, details.folder];
    case 'edit':
      return details.files.map(({ path }) => path);
    case 'fetch':
      return details.urls;
    case 'mcp':
      return [details.tool, details.server, details.args];
    case 'info':
      return [details.text];
    default:
      return [message];
  }
}

/** A value that contains such quotes or lookalikes could close ours and imitate Gantry's own text. */
function endsQuotes(value: string): boolean {
  return /[\u201c-\u201f\u275d\u275e\u2760\u301d-\u301f\u{1f676}-\u{1f678}]/u.test(value);
}

/** Whether an edit must be read before it is approved. Even a single line can be too long for its card. */
function isToBeRead({ files }: Extract<ApprovalDetails, { type: 'edit' }>): boolean {
  const lines = files.reduce((sum, { added, removed }) => sum + added + removed, 0);
  return lines > FEW_LINES || files.some(({ isCut }) => isCut);
}

/** Whether a notification shows every character of the text, and adds none. */
function isExact(text: string): boolean {
  if (text.length > LONGEST || withoutLinks(text) !== text) return false;
  return !/[\r\n\t]| {2}/.test(text) && !/“ | ”/.test(text) && !visiblePieces(text).some(({ hidden }) => hidden);
}

function shortened(text: string): string {
  const visible = visiblePieces(text).map(({ text: piece, hidden }) => (hidden ? `[${piece}]` : piece));
  const line = withoutLinks(visible.join('').replace(/\s+/g, ' '));
  const cut = line.length > LONGEST_PART ? `${line.slice(0, LONGEST_PART)}…` : line;
  return `${cut} ${l10n.t('Read and answer it in the panel.')}`;
}
