import * as l10n from '@vscode/l10n';
import { isObject } from '../base/objects.ts';
import { DiskView } from '../files/disk-view.ts';
import { type FilesRead, FromFiles } from '../files/from-files.ts';
import type { OpenTexts } from '../files/read-beginning.ts';
import { isInProject } from '../files/real-path.ts';
import type { WorkspacePort } from '../ports/workspace.ts';
import { readJson } from '../text/json-with-comments.ts';
import { GeminiSettings, type LayerName, type SettingsFault, type SettingsLayer } from './gemini-settings.ts';
import { Restrictions } from './restrictions.ts';
import { readSettings, settingsFiles, systemDefaultsFile } from './settings-files.ts';
import { settingsNotes } from './unapplied.ts';

export interface SettingsReaderPorts {
  readonly workspace: WorkspacePort;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The absolute path of the user's home folder. */
  readonly home: string;
  readonly platform?: NodeJS.Platform;
  /** Called once for every note about settings that do not apply. */
  readonly report?: (note: string) => void;
}

interface Place {
  readonly layer: LayerName;
  readonly file: string;
  /** The workspace folder that contains the file. */
  readonly root?: string;
}

type Read = SettingsLayer | SettingsFault | undefined;

/** Reads the settings files of Gemini CLI: of the system, the user and the open folders. */
export class SettingsReader {
  /** The settings as of the last refresh. Keeps its identity as long as nothing changed. */
  settings = new GeminiSettings([]);
  /** The restrictions of these settings. Keeps its identity as long as nothing changed. */
  restrictions = new Restrictions(this.settings);
  private reported: readonly string[] = [];
  private readonly fromFiles = new FromFiles<GeminiSettings>();
  /** The last valid content of each file. */
  private readonly valid = new Map<string, SettingsLayer>();

  constructor(private readonly ports: SettingsReaderPorts) {}

  /** Reads the files again if one of them changed on disk. */
  refresh(view = new DiskView()): Promise<GeminiSettings> {
    const isTrusted = this.ports.workspace.isTrusted();
    const roots = this.ports.workspace.roots();
    return this.fromFiles.current(view, [isTrusted, ...roots], async (files) => {
      const read = await Promise.all(this.places(roots).map((place) => this.read(place, files)));
      const layers = read.flatMap((each) => (each && 'fields' in each ? each : []));
      const faults = read.flatMap((each) => (each && 'why' in each ? each : []));
      this.settings = new GeminiSettings(layers, faults, isTrusted);
      this.restrictions = new Restrictions(this.settings);
      this.reportNotes();
      return this.settings;
    });
  }

  private reportNotes(): void {
    const notes = settingsNotes(this.settings);
    for (const note of notes.filter((each) => !this.reported.includes(each))) this.ports.report?.(note);
    this.reported = notes;
  }

  private places(roots: readonly string[]): Place[] {
    const { environment, home, platform = process.platform } = this.ports;
    const found = [undefined, ...roots].flatMap((root) =>
      settingsFiles({ environment, home, root, platform }).flatMap(({ path: file, source }): Place[] => {
        if (source !== 'project') return root === undefined ? [{ layer: source, file }] : [];
        return root === undefined ? [] : [{ layer: source, file, root }];
      }),
    );
    return [{ layer: 'defaults', file: systemDefaultsFile({ environment, platform }) }, ...found];
  }

  private async read(place: Place, files: FilesRead): Promise<Read> {
    const read = (await files.stamp(place.file)) === '' ? undefined : await readPlace(place, files.view.open);
    // While a file is invalid, e.g. because somebody is editing it, its last valid content stays in force.
    if (read && 'why' in read) return this.valid.get(place.file) ?? read;
    if (read) this.valid.set(place.file, read);
    else this.valid.delete(place.file);
    return read;
  }
}

async function readPlace({ layer, file, root }: Place, open: OpenTexts | undefined): Promise<Read> {
  const content = await readSettings(file, (real) => root === undefined || isInProject(root, real), open);
  if (!content) return undefined;
  if ('problem' in content) return { layer, file, line: 1, why: content.problem };
  const json = readJson(content.text);
  if ('problem' in json) {
    const { problem, ...where } = json;
    return { layer, file, ...where, why: l10n.t('the file is not valid JSON: {0}', problem) };
  }
  return isObject(json.value)
    ? { layer, file, fields: json.value }
    : { layer, file, line: 1, why: l10n.t('it contains no settings') };
}
