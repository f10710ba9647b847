import * as z from 'zod/mini';
import type { Notice, SendKey } from '../../extension/protocol/panel/input-to-panel.ts';
import type { ToPanel } from '../../extension/protocol/panel/panel-messages.ts';
import type { ComposerState } from './composer-state.ts';
import type { Suggestions } from './suggesting.ts';

type InputMessage = 'suggestions' | 'input' | 'inputOf' | 'notice';

/** The context of the input: the session of the draft, the history, the suggestions and the notice. */
export class InputModel {
  sendKey: SendKey = 'enter';
  history: readonly string[] = [];
  suggestions: Suggestions | undefined;
  notice: Notice | undefined;
  drafts: readonly Draft[];
  /** The session of the draft in the input; empty for the session that the next message starts. */
  session: string;

  constructor(
    saved: { readonly session?: string | undefined; readonly drafts?: readonly Draft[] | undefined },
    private readonly panel: {
      composer(): ComposerState;
      compose(state: ComposerState): void;
      announce(text: string): void;
      /** Another session is about to be shown. */
      switched(from: string, to: string): void;
      changed(): void;
    },
  ) {
    this.session = saved.session ?? '';
    this.drafts = saved.drafts ?? [];
  }

  /** Adds a sent message to the history. */
  remember(text: string): void {
    if (text.trim() === '') return;
    this.history = [...this.history.filter((entry) => entry !== text), text];
    this.notice = undefined;
  }

  dismissNotice(): void {
    this.notice = undefined;
    this.panel.changed();
  }

  readonly handlers: { readonly [Type in InputMessage]: (message: Extract<ToPanel, { type: Type }>) => void } = {
    suggestions: ({ type: _, ...suggestions }) => {
      this.suggestions = suggestions;
      this.panel.changed();
    },
    input: ({ sendKey, history }) => {
      this.sendKey = sendKey;
      this.history = history;
      this.panel.changed();
    },
    inputOf: ({ session = '', replaced }) => {
      const before = this.session;
      this.session = session;
      if (session === before) return;
      const { drafts, composer } = switchedDrafts(this.drafts, before, session, this.panel.composer());
      if (replaced) this.drafts = drafts;
      if (replaced) this.panel.switched(before, session);
      this.panel.compose(replaced ? composer : this.panel.composer());
    },
    notice: ({ notice }) => {
      this.notice = notice;
      this.panel.announce(
        [notice.title, ...notice.rows.slice(0, 3).map(({ name, value }) => `${name}: ${value}`)].join('. '),
      );
    },
  };
}

export const draftSchema = z.object({
  /** Empty for the session that the next message starts. */
  session: z.string(),
  draft: z.string(),
  held: z.optional(z.string()),
});

/** A draft in a session that is not shown. */
type Draft = z.infer<typeof draftSchema>;

/** The maximum number of drafts; those of the most recently shown sessions are kept. */
const MOST = 30;

/** When another session is shown, stores the draft of the old session and restores that of the new one. */
export function switchedDrafts(
  drafts: readonly Draft[],
  from: string,
  to: string,
  composer: ComposerState,
): { readonly drafts: readonly Draft[]; readonly composer: ComposerState } {
  const others = drafts.filter(({ session }) => session !== from && session !== to);
  const { draft, held } = composer;
  const left: Draft = { session: from, draft, ...(held !== undefined && { held }) };
  const back = drafts.find(({ session }) => session === to);
  const isWritten = draft !== '' || held !== undefined;
  return {
    drafts: [...others, ...(isWritten ? [left] : [])].slice(-MOST),
    composer: { ...composer, draft: back?.draft ?? '', held: back?.held, refusal: undefined },
  };
}
