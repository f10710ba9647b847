import { Emitter } from '../base/emitter.ts';
import type { Host } from '../ports/host.ts';
import type { AgentService } from '../runtime/agent-service.ts';

/** Loads the runtime bundle (ADK, the model SDK, the tools) once, when it is first needed. */
export class RuntimeLoader {
  private service: Promise<AgentService> | undefined;
  private readonly loaded = new Emitter<AgentService>();
  /** Calls the listener when the runtime is loaded, but never causes it to load. */
  readonly onDidLoad = this.loaded.on;

  constructor(private readonly host: Host) {}

  load(): Promise<AgentService> {
    this.service ??= this.create();
    // A failed load (a broken installation) is tried again with the next message instead of failing forever.
    this.service.catch(() => {
      this.service = undefined;
    });
    return this.service;
  }

  /** Reloads the rules after their location has changed. If the runtime is not loaded yet, it will read them anyway. */
  async reloadPolicies(): Promise<void> {
    await (await this.service?.catch(() => undefined))?.policies.reload();
  }

  /** Updates sessions after a settings change. Without a loaded runtime there are no sessions to update. */
  async settingsChanged(): Promise<void> {
    await (await this.service?.catch(() => undefined))?.settingsChanged();
  }

  async dispose(): Promise<void> {
    await (await this.service?.catch(() => undefined))?.dispose();
  }

  private async create(): Promise<AgentService> {
    const { createAgentService } = await import('../runtime/main.ts');
    const service = createAgentService(this.host);
    this.loaded.fire(service);
    return service;
  }
}
