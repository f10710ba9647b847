import type { ToHost } from '../../extension/protocol/panel/host-messages.ts';
import { CARRIED_VIEW } from '../../extension/protocol/panel/page-data.ts';
import { parseSavedView, type SavedView } from './saved-view.ts';

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
  /** Gives the length of what was saved. */
  saveView(view: SavedView): number;
}

export function connectToHost(): HostPort {
  const api = acquireVsCodeApi();
  return {
    post: (message) => api.postMessage(message),
    savedView: () => newer(parseSavedView(api.getState()), parseSavedView(carriedView())),
    saveView: (view) => {
      const saved = { ...view, savedAt: Date.now() };
      api.setState(saved);
      const text = JSON.stringify(saved);
      api.postMessage({ type: 'saved', view: text } satisfies ToHost);
      return text.length;
    },
  };
}

/** From a page in another place. It is part of the page, which may be shown again after more was saved. */
function carriedView(): unknown {
  const text = document.getElementById(CARRIED_VIEW)?.textContent ?? '';
  try {
    return JSON.parse(text);
  } catch {
    // What a page has saved counts as none when it cannot be read.
    return undefined;
  }
}

function newer(own: SavedView, carried: SavedView): SavedView {
  return (carried.savedAt ?? 0) > (own.savedAt ?? 0) ? carried : own;
}
