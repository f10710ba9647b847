/** The folder that has `.gemini`, by Gemini CLI's own rule. */
export function geminiHome(environment: Readonly<Record<string, string | undefined>>, home: string): string {
  return environment['GEMINI_CLI_HOME'] || home;
}
