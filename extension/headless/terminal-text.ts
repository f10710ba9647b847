/**
 * Text that a terminal only shows: without the control characters that could move the cursor, retitle the window or
 * write to the clipboard (OSC 52). Tabs and line ends stay.
 */
export function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about.
  return text.replace(/[\u0000-\u0008\u000b-\u000c\u000e-\u001f\u007f-\u009f]|\r(?!\n)/g, '');
}
