import type { GeminiSettings } from '../gemini-config/gemini-settings.ts';
import { SettingsReader, type SettingsReaderPorts } from '../gemini-config/settings-reader.ts';
import type { Host } from '../ports/host.ts';
import { AgentService } from './agent-service.ts';

/**
 * The entry point of the runtime bundle. It is loaded on first use, because ADK and the SDK are most of the extension's
 * size.
 */
export function createAgentService(host: Host): AgentService {
  return new AgentService(host);
}

/** Reads the settings of Gemini CLI, for surfaces that apply them as their own. Never rejects. */
export function readGeminiSettings(ports: SettingsReaderPorts): Promise<GeminiSettings> {
  return new SettingsReader(ports).refresh();
}
