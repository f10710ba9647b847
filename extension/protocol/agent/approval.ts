/** `elicitation_request._meta.approval`: the details of an approval that the user sees, and the possible answers. */
export interface ApprovalRequest {
  readonly details: ApprovalDetails;
  /** Why approval is required: the rule with its file and line, or the gate that no rule can open. */
  readonly why: string;
  /** The narrowest grant first. Empty if only this one call can be allowed. */
  readonly grants: readonly Grant[];
  /** True if the question also offers to stop asking about commands that run in the sandbox. */
  readonly offersAutoAllow?: boolean | undefined;
  /** The name of the agent that made the call, unless it is the main agent. */
  readonly agent?: string | undefined;
}

/** What an approval is about. */
export type ApprovalDetails =
  | { readonly type: 'edit'; readonly files: readonly FileEdit[] }
  | {
      readonly type: 'exec';
      readonly command: string;
      readonly folder: string;
      readonly reason?: string | undefined;
      /** Whether the command would run in the sandbox; absent if there is no sandbox. */
      readonly sandbox?: 'inside' | 'outside' | undefined;
    }
  | { readonly type: 'fetch'; readonly urls: readonly string[] }
  | { readonly type: 'ask_user'; readonly questions: readonly UserQuestion[] }
  | { readonly type: 'plan'; readonly path: string; readonly text: string }
  | {
      readonly type: 'mcp';
      readonly server: string;
      readonly tool: string;
      readonly args: string;
      /** The program that drives the session runs the tool, and answers with the result. */
      readonly runsInClient?: true | undefined;
    }
  | { readonly type: 'info'; readonly text: string };

export interface FileEdit {
  /** The path as it is displayed. */
  readonly path: string;
  /** The absolute path. */
  readonly fullPath?: string | undefined;
  readonly isNew: boolean;
  /** A unified diff, cut if it is very long. */
  readonly patch: string;
  /** True if the patch does not contain the whole change. */
  readonly isCut?: boolean | undefined;
  readonly added: number;
  readonly removed: number;
}

export interface UserQuestion {
  readonly question: string;
  /** A word or two, for narrow places. */
  readonly header: string;
  readonly type: 'choice' | 'text' | 'yesno';
  readonly options?: readonly { readonly label: string; readonly description: string }[] | undefined;
  readonly multiSelect?: boolean | undefined;
  readonly placeholder?: string | undefined;
}

/** The server that the tools of a session's client belong to, in rules and in questions. */
export const CLIENT_SERVER = 'tools';

/** A scope that "for this session" and "always" can cover. */
export interface Grant {
  readonly id: string;
  /** A short name, such as "git status". */
  readonly label: string;
  /** A description of everything that the grant covers. */
  readonly covers: string;
}

/** The content of an accepting answer. Which fields are set depends on the question. */
export interface ApprovalAnswer {
  readonly decision: ApprovalDecision;
  /** The id of the chosen grant, for `session` and `always`; the first grant by default. */
  readonly grant?: string;
  /** Where the rule of an `always` is saved. */
  readonly scope?: 'workspace' | 'user';
  /** The texts of edits that the user changed, by the path of the proposal. Other files are written as proposed. */
  readonly contents?: Readonly<Record<string, string>>;
  /** A comment of the user for the model. */
  readonly feedback?: string;
  /** The arguments of the call, if the user changed them. */
  readonly args?: Readonly<Record<string, unknown>>;
  /** The answers to questions, by the index of the question. */
  readonly answers?: Readonly<Record<string, string>>;
  /** The text of the plan, if the user changed it before approving it. */
  readonly plan?: string;
  /** The approval mode in which an approved plan is carried out. */
  readonly approvalMode?: 'default' | 'autoEdit';
  /** What became of a call that the client of the session ran: its result, or why there is none. */
  readonly result?: unknown;
  readonly error?: string;
}

export type ApprovalDecision = 'once' | 'session' | 'always';

/** `elicitation_request._meta.modelChoice`: a model does not answer, and the user decides how to proceed. */
export interface ModelChoice {
  readonly failed: string;
  /** The model that could answer instead. */
  readonly other?: string | undefined;
  /**
   * A helpful page: where to upgrade, if Google names that page for a limit that does not end soon, or one about quotas.
   * Opening it does not answer the question.
   */
  readonly link?: { readonly label: string; readonly url: string } | undefined;
}
