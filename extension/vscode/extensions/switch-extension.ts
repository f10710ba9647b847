import type { AgentService } from '../../runtime/agent-service.ts';
import type { ShownExtension } from './extension-texts.ts';

type Service = Pick<AgentService, 'extensions' | 'mcp'>;

/** All extensions as they are now, each with what is in it. */
export async function shownExtensions({ extensions }: Pick<Service, 'extensions'>): Promise<readonly ShownExtension[]> {
  await extensions.refresh();
  return Promise.all(
    extensions
      .extensions()
      .map(async (extension) => ({ extension, brings: await extensions.broughtBy(extension.name) })),
  );
}

/** For the open folder. Its servers come and go at once, all else is looked for before each request anyway. */
export async function switchExtension({ extensions, mcp }: Service, name: string, isOn: boolean): Promise<void> {
  await extensions.setEnabled(name, 'workspace', isOn);
  await mcp.refresh();
}
