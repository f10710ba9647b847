import type { ToHost } from '../../extension/protocol/panel/host-messages.ts';
import { CARRIED_VIEW } from '../../extension/protocol/panel/page-data.ts';
import { parseSavedView, type SavedView } from './saved-view.ts';

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

/** VS Code provides this function in every webview. It may be called only once. */
declare function acquireVsCodeApi(): VsCodeApi;

/** The extension host for the view: it accepts only protocol messages and returns only validated state. */
export interface HostPort {
  post(message: ToHost): void;
  savedView(): SavedView;
  /** Returns the length of the saved state. */
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

/**
 * The state of a page in another place. It is part of this page, which may be shown again after newer state was saved.
 */
function carriedView(): unknown {
  const text = document.getElementById(CARRIED_VIEW)?.textContent ?? '';
  try {
    return JSON.parse(text);
  } catch {
    // Invalid state is ignored.
    return undefined;
  }
}

function newer(own: SavedView, carried: SavedView): SavedView {
  return (carried.savedAt ?? 0) > (own.savedAt ?? 0) ? carried : own;
}
