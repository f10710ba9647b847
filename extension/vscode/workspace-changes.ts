import * as vscode from 'vscode';
import { Disposable } from './base/disposable.ts';
import { changesSettings } from './settings.ts';

/** The parts of the window that sessions depend on: trust, folders and Gantry's settings. */
export class WorkspaceChanges extends Disposable {
  private readonly changed = this.register(new vscode.EventEmitter<void>());
  private readonly settingsChanged = this.register(new vscode.EventEmitter<void>());
  readonly onDidGrantTrust = vscode.workspace.onDidGrantWorkspaceTrust;
  readonly onDidChangeSettings = this.settingsChanged.event;
  /** Fires for any of these changes. */
  readonly onDidChange = this.changed.event;

  constructor() {
    super();
    const changed = (): void => this.changed.fire();
    this.register(vscode.workspace.onDidGrantWorkspaceTrust(changed));
    this.register(vscode.workspace.onDidChangeWorkspaceFolders(changed));
    this.register(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (!changesSettings(event)) return;
        changed();
        this.settingsChanged.fire();
      }),
    );
    // VS Code's telemetry switch is stronger than Gantry's settings.
    this.register(vscode.env.onDidChangeTelemetryEnabled(() => this.settingsChanged.fire()));
  }
}
