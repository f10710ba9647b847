import type { ToHost } from '../extension/protocol/host-messages.ts';
import { parseSavedView, type SavedView } from './state/saved-view.ts';

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

/** VS Code puts this into every webview. It may be called once. */
declare function acquireVsCodeApi(): VsCodeApi;

/** The extension host as the view sees it: only messages of the protocol leave, only checked state comes back. */
export interface HostPort {
  post(message: ToHost): void;
  savedView(): SavedView;
  saveView(view: SavedView): void;
}

export function connectToHost(): HostPort {
  const api = acquireVsCodeApi();
  return {
    post: (message) => api.postMessage(message),
    savedView: () => parseSavedView(api.getState()),
    saveView: (view) => api.setState(view),
  };
}
