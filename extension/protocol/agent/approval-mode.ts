/** What runs without asking, from the strictest mode to the most permissive. */
export const APPROVAL_MODES = ['plan', 'default', 'autoEdit', 'yolo'] as const;

export type ApprovalMode = (typeof APPROVAL_MODES)[number];

export function isApprovalMode(value: unknown): value is ApprovalMode {
  return APPROVAL_MODES.some((mode) => mode === value);
}

/** This mode and all more permissive ones. */
export function modesFrom(mode: ApprovalMode): readonly ApprovalMode[] {
  return APPROVAL_MODES.slice(APPROVAL_MODES.indexOf(mode));
}
