export interface Logger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  /** `cause` is logged with its stack. */
  error(message: string, cause?: unknown): void;
}
