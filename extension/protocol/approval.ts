/** What a person is told before they say yes, and what they can answer. Part of `elicitation_request._meta`. */
export interface ApprovalRequest {
  readonly details: ApprovalDetails;
  /** Why this is asked: the rule with its file and line, or the gate that no rule can open. */
  readonly why: string;
  /** What "for this session" and "always" may cover, the narrowest first. Empty when only this one call can be allowed. */
  readonly grants: readonly Grant[];
}

export type ApprovalDetails =
  /** A change to a file. `patch` is a unified diff, cut when it is very long. */
  | {
      readonly type: 'edit';
      readonly path: string;
      readonly isNew: boolean;
      readonly patch: string;
      readonly added: number;
      readonly removed: number;
    }
  | { readonly type: 'exec'; readonly command: string; readonly folder: string; readonly reason?: string }
  | { readonly type: 'fetch'; readonly urls: readonly string[] }
  | { readonly type: 'ask_user'; readonly questions: readonly UserQuestion[] }
  | { readonly type: 'plan'; readonly path: string; readonly text: string }
  | { readonly type: 'mcp'; readonly server: string; readonly tool: string; readonly args: string }
  | { readonly type: 'info'; readonly text: string };

export interface Grant {
  readonly id: string;
  /** What to call it, such as "git status". */
  readonly label: string;
  /** What it covers, in words. */
  readonly covers: string;
}

export interface UserQuestion {
  readonly question: string;
  /** A word or two, for a narrow place. */
  readonly header: string;
  readonly type: 'choice' | 'text' | 'yesno';
  readonly options?: readonly { readonly label: string; readonly description: string }[];
  readonly multiSelect?: boolean;
  readonly placeholder?: string;
}

/** What an accepting answer carries, depending on what was asked. */
export interface ApprovalAnswer {
  readonly decision: ApprovalDecision;
  /** Which of the grants; the first one unless named. For `session` and `always`. */
  readonly grant?: string;
  /** Where an `always` is saved. */
  readonly scope?: 'workspace' | 'user';
  /** The text the user made of a proposed edit. */
  readonly newContent?: string;
  /** The arguments the user made of the proposed ones. */
  readonly args?: Readonly<Record<string, unknown>>;
  /** Answers to questions, by their index. */
  readonly answers?: Readonly<Record<string, string>>;
  /** With which mode an approved plan is carried out. */
  readonly approvalMode?: 'default' | 'autoEdit';
}

export type ApprovalDecision = 'once' | 'session' | 'always';
