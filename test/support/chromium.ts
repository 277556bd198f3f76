import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';

/** A page in a real browser, with all that it complained about and all that it tried to load. */
export interface BrowserPage {
  /** The value of an expression in the page. */
  evaluate(expression: string): Promise<unknown>;
  /** Errors and warnings of the console, of scripts and of the content policy. */
  readonly complaints: readonly string[];
  /** Addresses that were asked for, the page itself apart. */
  readonly requests: readonly string[];
  pdf(): Promise<Buffer>;
  /** PNG, from the top of the page on. */
  picture(width: number, height: number, top?: number): Promise<Buffer>;
}

export interface Chromium {
  open(path: string, options?: { readonly withScript?: boolean }): Promise<BrowserPage>;
  close(): Promise<void>;
}

/** Where Debian and others put it; undefined where there is none. */
export function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
}

/** Spoken to over a pair of pipes: no port, and no library that would have to be installed. */
export async function startChromium(path: string): Promise<Chromium> {
  const profile = mkdtempSync(join(tmpdir(), 'payrun-chromium-'));
  const flags = ['--headless', '--disable-gpu', '--no-first-run', `--user-data-dir=${profile}`];
  // Root may not use the browser's own sandbox, and containers often forbid it; the pages are ours.
  const child = spawn(path, [...flags, '--no-sandbox', '--remote-debugging-pipe', 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const wire = speak(child);
  return {
    open: (file, { withScript = true } = {}) => openPage(wire, file, withScript),
    async close() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      await wire.call('Browser.close').catch(() => child.kill());
      await gone;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

type Message = {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
};

interface Wire {
  call(method: string, params?: object, sessionId?: string): Promise<Record<string, unknown>>;
  listen(listener: (message: Message) => void): void;
}

/** Messages are JSON, each with a NUL behind it. */
function speak(child: ChildProcess): Wire {
  const [to, from] = [child.stdio[3] as Writable, child.stdio[4] as Readable];
  const waiting = new Map<number, (message: Message) => void>();
  const listeners: ((message: Message) => void)[] = [];
  let text = '';
  let lastId = 0;
  from.setEncoding('utf8').on('data', (piece: string) => {
    const messages = (text + piece).split('\0');
    text = messages.pop() ?? '';
    for (const each of messages) {
      const message = JSON.parse(each) as Message;
      if (message.id !== undefined) waiting.get(message.id)?.(message);
      else for (const listener of listeners) listener(message);
    }
  });
  to.on('error', () => undefined);
  child.once('exit', () => {
    for (const answer of waiting.values()) answer({ error: { message: 'the browser has ended' } });
  });
  return {
    listen: (listener) => void listeners.push(listener),
    call(method, params = {}, sessionId) {
      lastId += 1;
      const id = lastId;
      to.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
      return new Promise((resolve, reject) => {
        waiting.set(id, ({ result, error }) => {
          waiting.delete(id);
          if (error) reject(new Error(`${method}: ${error.message}`));
          else resolve(result ?? {});
        });
      });
    },
  };
}

async function openPage(wire: Wire, file: string, withScript: boolean): Promise<BrowserPage> {
  const { targetId } = await wire.call('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await wire.call('Target.attachToTarget', { targetId, flatten: true });
  const call = (method: string, params: object = {}) => wire.call(method, params, sessionId as string);
  const url = pathToFileURL(file).href;
  const complaints: string[] = [];
  const requests: string[] = [];
  const loaded = new Promise<void>((resolve) => {
    wire.listen(({ method, params = {}, sessionId: of }) => {
      if (of !== sessionId) return;
      if (method === 'Page.loadEventFired') resolve();
      const asked = (params['request'] as { url?: string } | undefined)?.url;
      if (method === 'Network.requestWillBeSent' && asked !== url) requests.push(asked ?? '');
      if (method !== undefined && complaining.has(method)) complaints.push(JSON.stringify(params));
    });
  });
  for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await call(`${domain}.enable`);
  await call('Emulation.setScriptExecutionDisabled', { value: !withScript });
  await call('Page.navigate', { url });
  await loaded;
  return {
    complaints,
    requests,
    async evaluate(expression) {
      const { result, exceptionDetails } = await call('Runtime.evaluate', {
        expression,
        returnByValue: true,
      });
      if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails));
      return (result as { value?: unknown }).value;
    },
    async pdf() {
      const { data } = await call('Page.printToPDF', { preferCSSPageSize: true, printBackground: false });
      return Buffer.from(data as string, 'base64');
    },
    async picture(width, height, top = 0) {
      await call('Emulation.setDeviceMetricsOverride', {
        width,
        height,
        deviceScaleFactor: 1,
        mobile: false,
      });
      const clip = { x: 0, y: top, width, height, scale: 1 };
      const { data } = await call('Page.captureScreenshot', { captureBeyondViewport: true, clip });
      return Buffer.from(data as string, 'base64');
    },
  };
}

const complaining = new Set(['Runtime.consoleAPICalled', 'Runtime.exceptionThrown', 'Log.entryAdded']);

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
