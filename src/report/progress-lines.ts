import type { Heartbeat } from '../domain/heartbeat.ts';
import { formatMoney } from '../domain/money/format-money.ts';
import type { Minor } from '../domain/money/money.ts';
import type { PayoutState } from '../domain/payout/payout-state.ts';
import { counted } from '../domain/text/counted.ts';
import { grouped } from '../domain/text/grouped.ts';
import type { Stage } from '../pipeline/run/run-events.ts';

/** How a run stands at one moment, as far as it can be told from outside. */
export interface RunView {
  readonly stage: StageView | undefined;
  /** What became of payouts in this run. */
  readonly moved: ReadonlyMap<PayoutState, number>;
  readonly money: readonly MoneyView[];
  readonly waiting: { readonly why: string; readonly leftMs: number } | undefined;
  readonly pulse: Heartbeat;
}

export interface StageView {
  readonly name: Stage;
  readonly done: number;
  readonly of: number;
  /** Undefined until there is enough to tell it by. */
  readonly perSecond: number | undefined;
}

export interface MoneyView {
  readonly currency: string;
  readonly sentMinor: Minor;
  readonly ofMinor: Minor;
}

const stageWords: Readonly<Record<Stage, string>> = {
  names: 'checking names',
  payees: 'registering payees',
  'look-up': 'looking for earlier sends',
  submit: 'sending',
  settle: 'waiting for the outcome',
};

const stateWords: readonly (readonly [PayoutState, string])[] = [
  ['paid', 'paid'],
  ['submitted', 'on the way'],
  ['unclear', 'unclear'],
  ['held', 'held'],
  ['failed', 'failed'],
  ['refused', 'refused'],
  ['returned', 'returned'],
];

/** From here on silence is worth a word. */
const silentFromMs = 5_000;

/** One line, for a log: `sending 40 of 300; 3 held; KES 40,000.00 of 300,000.00 sent`. */
export function progressLine(view: RunView): string {
  const { stage } = view;
  const parts = [
    stage ? `${stageWords[stage.name]} ${grouped(stage.done)} of ${grouped(stage.of)}` : '',
    movedText(view, ', '),
    stage?.name === 'submit' ? moneyText(view) : '',
    waitingText(view),
    silenceText(view),
  ];
  return parts.filter(Boolean).join('; ');
}

/** A block of lines that is drawn again and again, none wider than the columns. */
export function progressBlock(view: RunView, columns: number, isUnicode = true): string[] {
  const { stage } = view;
  const lines = [
    stage ? barLine(stage, columns, isUnicode) : '',
    [moneyText(view), stage ? paceText(stage) : ''].filter(Boolean).join(', '),
    movedText(view, '   '),
    waitingText(view),
    silenceText(view),
  ];
  return lines.filter(Boolean).map((line) => `  ${cut(line, columns - 3)}`);
}

function barLine({ name, done, of }: StageView, columns: number, isUnicode: boolean): string {
  const part = of === 0 ? 1 : Math.min(1, done / of);
  const word = stageWords[name].padEnd(26);
  const figures = `${String(Math.floor(part * 100)).padStart(4)} %   ${grouped(done)} of ${grouped(of)}`;
  const width = Math.max(0, Math.min(40, columns - 4 - word.length - figures.length));
  const full = Math.floor(part * width);
  const [on, off] = isUnicode ? ['█', '░'] : ['#', '.'];
  return `${word}${on.repeat(full)}${off.repeat(width - full)}${figures}`;
}

function moneyText({ money }: RunView): string {
  const sums = money.map(
    ({ currency, sentMinor, ofMinor }) =>
      `${formatMoney(sentMinor, currency)} of ${formatMoney(ofMinor, currency).slice(currency.length + 1)}`,
  );
  return sums.length === 0 ? '' : `${sums.join(', ')} sent`;
}

function paceText({ done, of, perSecond }: StageView): string {
  if (perSecond === undefined || perSecond <= 0) return '';
  const leftS = (of - done) / perSecond;
  const left = done < of ? `, about ${durationText(leftS * 1000)} left` : '';
  return `${perSecond >= 10 ? perSecond.toFixed(0) : perSecond.toFixed(1)} a second${left}`;
}

function movedText({ moved }: RunView, between: string): string {
  return stateWords
    .map(([state, word]) => [moved.get(state) ?? 0, word] as const)
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${grouped(count)} ${word}`)
    .join(between);
}

function waitingText({ waiting }: RunView): string {
  return waiting ? `${waiting.why}: ${durationText(waiting.leftMs)}` : '';
}

function silenceText({ pulse: { silentMs, callsOpen, triedAgain } }: RunView): string {
  const again = triedAgain > 0 ? `${counted(triedAgain, 'call')} tried again` : '';
  if (silentMs < silentFromMs) return again;
  const open = callsOpen > 0 ? `${counted(callsOpen, 'call')} open` : '';
  const beside = [open, again].filter(Boolean).join(', ');
  return `the service has not answered for ${durationText(silentMs)}${beside === '' ? '' : ` (${beside})`}`;
}

/** `45 s`, `3 min 20 s`, `2 h 5 min`. */
function durationText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min${seconds % 60 === 0 ? '' : ` ${seconds % 60} s`}`;
  return `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? '' : ` ${minutes % 60} min`}`;
}

/** All of it is ours: a character is a column. */
function cut(line: string, width: number): string {
  return line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1))}…`;
}
