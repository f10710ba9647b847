import type { ToHost } from '../../extension/protocol/panel/host-messages.ts';
import type { ToPanel } from '../../extension/protocol/panel/panel-messages.ts';
import type { RewindWay } from '../../extension/protocol/panel/sheets-to-host.ts';
import type { RewindPreview, SessionHit, SessionItem } from '../../extension/protocol/panel/sheets-to-panel.ts';
import type { SendRefusal } from './composer-state.ts';
import { beginEditing, type EditChange, type Editing } from './editing.ts';
import { PanelTranscript } from './transcript.ts';

export type SheetWanted =
  | { readonly kind: 'sessions' }
  | { readonly kind: 'rewind'; readonly messageId: string }
  | { readonly kind: 'thread'; readonly callId: string; readonly threadId: string };

export interface RewindChoice {
  readonly what: RewindWay;
  readonly overwrite: readonly string[];
}

/** The state of the rewind sheet. */
export interface RewindState {
  readonly messageId: string;
  readonly preview?: RewindPreview | undefined;
  readonly refusal?: SendRefusal | undefined;
  /** True while the rewind is in progress. */
  readonly busy: boolean;
}

interface SheetsView {
  post(message: ToHost): void;
  changed(): void;
  toSave(): void;
  /** The sheet was closed. `done` is true if its action was carried out. */
  closed(done: boolean): void;
}

type SheetMessage = 'sessions' | 'sessionsFound' | 'rewindPreview' | 'rewindRefused' | 'rewound' | 'thread';

/** Views that replace the conversation or one message: the sessions, a rewind, a thread, or an edited message. */
export class Sheets {
  shown: SheetWanted['kind'] | undefined;
  /** Undefined until the host has listed the sessions. */
  sessions: readonly SessionItem[] | undefined;
  /** The sessions with matches in their messages; undefined until they are known. */
  hits: readonly SessionHit[] | undefined;
  rewind: RewindState | undefined;
  thread: OpenThread | undefined;
  editing: Editing | undefined;
  private lastSearch = 0;

  constructor(
    editing: Pick<Editing, 'messageId' | 'text'> | undefined,
    private readonly view: SheetsView,
  ) {
    this.editing = editing && beginEditing(editing.messageId, editing.text);
  }

  open(wanted: SheetWanted): void {
    this.shown = wanted.kind;
    if (wanted.kind === 'sessions') {
      this.sessions = undefined;
      this.hits = [];
      this.view.post({ type: 'listSessions' });
    } else if (wanted.kind === 'thread') {
      this.thread = new OpenThread(wanted.callId, wanted.threadId);
      this.view.post({ type: 'openThread', threadId: wanted.threadId });
    } else {
      this.rewind = { messageId: wanted.messageId, busy: false };
      this.view.post({ type: 'rewindPreview', messageId: wanted.messageId });
    }
    this.view.changed();
  }

  /** A run started or ended, which the list may show. */
  refresh(): void {
    if (this.shown === 'sessions') this.view.post({ type: 'listSessions' });
  }

  close(done = false): void {
    if (this.shown === undefined) return;
    if (this.thread) this.view.post({ type: 'closeThread' });
    this.shown = undefined;
    this.rewind = undefined;
    this.thread = undefined;
    this.view.changed();
    this.view.closed(done);
  }

  search(query: string): void {
    this.lastSearch++;
    this.hits = query === '' ? [] : undefined;
    if (query !== '') this.view.post({ type: 'searchSessions', ref: this.lastSearch, query });
    this.view.changed();
  }

  goBack({ what, overwrite }: RewindChoice): void {
    const { rewind } = this;
    if (!rewind || rewind.busy) return;
    this.rewind = { ...rewind, busy: true, refusal: undefined };
    this.view.post({ type: 'rewind', messageId: rewind.messageId, what, overwrite: [...overwrite] });
    this.view.changed();
  }

  edit(messageId: string, text: string): void {
    this.replaceEditing(beginEditing(messageId, text));
    this.askAboutEdit();
  }

  /** Requests the preview for the edited message. After the view was hidden, files may have changed. */
  askAboutEdit(): void {
    if (this.editing) this.view.post({ type: 'rewindPreview', messageId: this.editing.messageId });
  }

  changeEdit(change: EditChange): void {
    if (this.editing) this.replaceEditing({ ...this.editing, ...change });
  }

  endEdit(): void {
    this.replaceEditing(undefined);
  }

  private replaceEditing(editing: Editing | undefined): void {
    this.editing = editing;
    this.view.toSave();
    this.view.changed();
  }

  readonly handlers: { readonly [Type in SheetMessage]: (message: Extract<ToPanel, { type: Type }>) => void } = {
    sessions: ({ sessions }) => {
      this.sessions = sessions;
      this.view.changed();
    },
    sessionsFound: ({ ref, hits }) => {
      if (ref !== this.lastSearch) return;
      this.hits = hits;
      this.view.changed();
    },
    thread: (message) => {
      if (message.threadId === this.thread?.threadId) {
        if (this.thread.take(message)) this.view.changed();
      } else if (!this.thread) {
        // An earlier page opened this thread.
        this.view.post({ type: 'closeThread' });
      }
    },
    rewindPreview: ({ preview }) => {
      const { rewind, editing } = this;
      if (rewind?.messageId === preview.messageId) this.rewind = { ...rewind, preview, refusal: undefined };
      if (editing?.messageId === preview.messageId) this.editing = { ...editing, preview, refusal: undefined };
      this.view.changed();
    },
    rewindRefused: ({ messageId, title, detail }) => {
      const { rewind, editing } = this;
      const refusal = { title, detail };
      if (rewind?.messageId === messageId) this.rewind = { ...rewind, refusal, busy: false };
      if (editing?.messageId === messageId) this.editing = { ...editing, refusal };
      this.view.changed();
    },
    rewound: ({ messageId }) => {
      if (this.rewind?.messageId === messageId) this.close(true);
    },
  };
}

/** The thread of a subagent that the reader opened: a conversation of its own, loaded like the main one. */
export class OpenThread {
  readonly transcript = new PanelTranscript();
  /** False until the thread has arrived; an empty transcript means nothing before that. */
  loaded = false;

  constructor(
    /** The call that the subagent works for. */
    readonly callId: string,
    readonly threadId: string,
  ) {}

  /** Returns true if the elements around the entries must be drawn again. */
  take({ told }: Extract<ToPanel, { type: 'thread' }>): boolean {
    switch (told.type) {
      case 'transcript': {
        const { facts, type: _, ...window } = told;
        this.transcript.reset(window, facts);
        this.loaded = true;
        return true;
      }
      case 'window':
        this.transcript.hold(told);
        return true;
      case 'changes':
        return this.transcript.apply(told.changes, told.facts);
    }
  }
}
