import * as l10n from '@vscode/l10n';
import { namedFailure } from '../../files/file-failure.ts';
import type { AgentService } from '../../runtime/agent-service.ts';
import { nearestNames } from '../../text/nearest-names.ts';
import { refusal, type SlashCommand, type SlashOutcome, type SlashSource } from '../suggestions/slash-command.ts';
import { extensionsNotice, shownExtensions, switchExtension } from './extension-list.ts';

type Service = Pick<AgentService, 'extensions' | 'mcp'>;

export interface ExtensionParts {
  readonly load: () => Promise<Service>;
  readonly isTrusted: () => boolean;
}

/** `/extensions`: lists the extensions of Gemini CLI, and turns them on and off for the open folder. */
export class ExtensionsCommand implements SlashSource {
  readonly prefix = 'gantry';
  private known: Service['extensions'] | undefined;
  private readonly command: SlashCommand;

  constructor(private readonly parts: ExtensionParts) {
    this.command = {
      name: 'extensions',
      hint: '[list | enable <name> | disable <name>]',
      description: l10n.t('Extensions of Gemini CLI, and which of them are on'),
      whileRunning: true,
      values: () => [
        { value: 'list', detail: l10n.t('All extensions, and what they contain') },
        ...(this.known?.extensions() ?? []).map(({ name, isEnabled }) =>
          isEnabled
            ? { value: `disable ${name}`, detail: l10n.t('Turn it off in this folder') }
            : { value: `enable ${name}`, detail: l10n.t('Turn it on in this folder') },
        ),
      ],
      run: (argument) => this.run(argument),
    };
  }

  commands(): readonly SlashCommand[] {
    return [this.command];
  }

  private async run(argument: string): Promise<SlashOutcome> {
    const [word = '', name = '', ...more] = argument.split(/\s+/);
    const service = await this.parts.load();
    this.known = service.extensions;
    switch (word.toLowerCase()) {
      case '':
      case 'list':
        return this.show(service);
      case 'enable':
      case 'disable':
        return this.switch(service, [name, ...more].join(' '), word.toLowerCase() === 'enable');
      default:
        return refusal(
          l10n.t('/extensions has no subcommand "{0}"', word),
          l10n.t('Use {0}.', 'list, enable, disable'),
        );
    }
  }

  private async switch(service: Service, name: string, isOn: boolean): Promise<SlashOutcome> {
    await service.extensions.refresh();
    const names = service.extensions.extensions().map((each) => each.name);
    const meant = names.find((each) => each.toLowerCase() === name.toLowerCase());
    if (meant === undefined) return unknownExtension(names, name);
    try {
      await switchExtension(service, meant, isOn);
    } catch (error) {
      return refusal(
        isOn ? l10n.t('"{0}" was not turned on', meant) : l10n.t('"{0}" was not turned off', meant),
        namedFailure(error),
      );
    }
    return this.show(service);
  }

  private async show(service: Service): Promise<SlashOutcome> {
    const shown = await shownExtensions(service);
    return { notice: extensionsNotice(shown, service.extensions.problems, this.parts.isTrusted()) };
  }
}

function unknownExtension(names: readonly string[], name: string): SlashOutcome {
  const near = nearestNames(name, names, 2);
  const known = (near.length > 0 ? near : names.slice(0, 10)).join(', ');
  return refusal(
    name === '' ? l10n.t('Which extension do you mean?') : l10n.t('There is no extension "{0}".', name),
    known === '' ? l10n.t('There are none.') : l10n.t('Use {0}.', known),
  );
}
