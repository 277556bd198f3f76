import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into a worker before payrun (`node --import`). It sets the clock of the machine wrong, and has the process stop
 * itself at its Nth payout, at a chosen place:
 *
 * - `unread`: the commit of the intent is asked for, and its answer not read yet
 * - `answered`: the answer has just been read
 * - `intended`: payrun hands the request to its client; whether it may leave was not asked yet
 * - `checked`: it was asked, and the next thing is to write
 * - `on-its-way`: the kernel has the request
 *
 * Calls are made in a thread of their own, so the first two are reached in the main thread and the others there; all of the
 * process stops. Whatever is sent or written after it was woken, by either, goes into the report.
 */
const { STILL_AT: place, STILL_NTH = '1', STILL_REPORT: report = '', CLOCK_OFF_MS = '0' } = process.env;

/** As it is handed on: its number, the payout, the reference, the run, when it was begun, and neither an end nor an outcome. */
const newSend = /\[\d+,\d+,"([^"]*)","[^"]*",\d+,null,"",/g;

if (Number(CLOCK_OFF_MS) !== 0) setClock(Number(CLOCK_OFF_MS));
if (place !== undefined) await lieInWait();

/** The wall clock alone: time still passes as it does. */
function setClock(offMs) {
  const Right = Date;
  const now = () => Right.now() + offMs;
  globalThis.Date = new Proxy(Right, {
    construct: (made, given, maker) => Reflect.construct(made, given.length === 0 ? [now()] : given, maker),
    apply: () => new Right(now()).toString(),
    get: (read, name) => (name === 'now' ? now : Reflect.get(read, name)),
  });
}

async function lieInWait() {
  const references = new WeakMap();
  let seen = 0;
  let isStruck = false;

  const tell = (what) => appendFileSync(report, `${JSON.stringify(what)}\n`);

  function reach(here, reached) {
    if (isStruck || here !== place || reached.length === 0) return;
    seen += reached.length;
    if (seen < Number(STILL_NTH)) return;
    isStruck = true;
    tell({ what: 'frozen', reference: reached.at(-1), atMs: processMs() });
    standStill();
    tell({ what: 'woken' });
  }

  subscribe('undici:request:create', ({ request }) => {
    if (request.method !== 'POST' || !request.path.endsWith('/fiat/payout')) return;
    const { externalReference } = JSON.parse(String(request.body));
    references.set(request, externalReference);
    reach('intended', [externalReference]);
  });
  subscribe('undici:client:sendHeaders', ({ request }) => {
    const reference = references.get(request);
    if (reference === undefined) return;
    reach('checked', [reference]);
    if (isWoken()) tell({ what: 'sent', reference });
  });
  subscribe('undici:request:bodySent', ({ request }) => {
    if (references.has(request)) reach('on-its-way', [references.get(request)]);
  });

  if (!isMainThread) return;
  const { default: pg } = await import('pg');
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (statements, ...rest) {
    const asked = query.call(this, statements, ...rest);
    if (!statements.includes('SELECT tell_all_') || !statements.endsWith('COMMIT')) return asked;
    const begunAwake = isWoken();
    const intents = [...statements.matchAll(newSend)].map(([, reference]) => reference);
    reach('unread', intents);
    return asked.then((answers) => {
      reach('answered', intents);
      if (begunAwake) tell({ what: 'written' });
      return answers;
    });
  };
}

/** Whichever thread stopped it: nobody sleeps for less than a second. */
function isWoken() {
  if (!existsSync(report)) return false;
  const [frozen] = readFileSync(report, 'utf8').split('\n');
  return frozen !== undefined && frozen !== '' && processMs() - JSON.parse(frozen).atMs > 1_000;
}

/** The same in all threads. */
function processMs() {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** A signal takes its moment: nothing is done until time is seen to have leapt. */
function standStill() {
  let lastMs = performance.now();
  process.kill(process.pid, 'SIGSTOP');
  for (let leaptMs = 0; leaptMs < 1_000; ) {
    const nowMs = performance.now();
    leaptMs = nowMs - lastMs;
    lastMs = nowMs;
  }
}
