import './styles/main.css';
import { provideVSCodeDesignSystem, vsCodeButton } from '@vscode/webview-ui-toolkit';
import { config } from 'zod/mini';
import { PAGE_TEXTS } from '../extension/protocol/panel/page-data.ts';
import { useTexts } from '../extension/protocol/panel/use-texts.ts';
import { guardView } from './frame/view-failure.ts';
import { Panel } from './panel.ts';
import { connectToHost } from './state/host.ts';

// Zod would try `new Function`, which the content security policy of the page forbids and reports.
config({ jitless: true });
// The host puts the translations into the page. They are needed before the first text is drawn.
useTexts(document.getElementById(PAGE_TEXTS)?.textContent);
// The toolkit is no longer maintained upstream. It is imported only here, so that it is easy to replace.
provideVSCodeDesignSystem().register(vsCodeButton());

const host = connectToHost();

function start(): void {
  const panel = new Panel();
  document.querySelector('gantry-panel')?.replaceWith(panel);
  panel.connect(host);
}

guardView(host, start);
start();
