import type { Host } from '../ports/host.ts';
import type { AgentService } from '../runtime/agent-service.ts';

/** Loads the runtime bundle (ADK, the model SDK, the tools) once, when it is first needed. */
export class RuntimeLoader {
  private service: Promise<AgentService> | undefined;
  private readonly listeners: ((service: AgentService) => void)[] = [];

  constructor(private readonly host: Host) {}

  load(): Promise<AgentService> {
    this.service ??= this.create();
    // A failed load (a broken installation) is tried again with the next message instead of failing forever.
    this.service.catch(() => {
      this.service = undefined;
    });
    return this.service;
  }

  /** Told when somebody needs the runtime, and never the reason that it is loaded. */
  onDidLoad(listener: (service: AgentService) => void): void {
    this.listeners.push(listener);
  }

  /** Where rules come from has changed. What is not loaded yet will read them anyway. */
  async reloadPolicies(): Promise<void> {
    await (await this.service?.catch(() => undefined))?.policies.reload();
  }

  /** What is not loaded yet has no session that goes by the settings of before. */
  async settingsChanged(): Promise<void> {
    await (await this.service?.catch(() => undefined))?.settingsChanged();
  }

  async dispose(): Promise<void> {
    await (await this.service?.catch(() => undefined))?.dispose();
  }

  private async create(): Promise<AgentService> {
    const { createAgentService } = await import('../runtime/main.ts');
    const service = createAgentService(this.host);
    for (const listener of this.listeners) listener(service);
    return service;
  }
}
