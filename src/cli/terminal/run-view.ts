import type { Heartbeat } from '../../domain/heartbeat.ts';
import { type Minor, minorFromDecimal } from '../../domain/money/money.ts';
import type { PayoutState } from '../../domain/payout/payout-state.ts';
import { findCurrency } from '../../domain/reference-data/countries.ts';
import type { RunEvent, Stage } from '../../index.ts';
import type { RunView } from '../../report/progress-lines.ts';

/** A pace is told from the last seconds: what went fast an hour ago says nothing about now. */
const paceOverMs = 10_000;
const paceFromMs = 2_000;
const momentEveryMs = 500;

interface Moment {
  readonly atMs: number;
  readonly done: number;
}

/** Gathers what a run tells into what can be shown of it at any moment. */
export function createRunView(nowMs: () => number, pulse: () => Heartbeat) {
  const moved = new Map<PayoutState, number>();
  const sent = new Map<string, { sentMinor: Minor; ofMinor: Minor }>();
  let stage: { name: Stage; done: number; of: number; moments: Moment[] } | undefined;
  let waiting: { why: string; untilMs: number } | undefined;

  function take(event: RunEvent): void {
    switch (event.kind) {
      case 'stage':
        reach(event.stage, event.done, event.of);
        break;
      case 'sending':
        for (const { currency, amount } of event.amounts)
          sent.set(currency, { sentMinor: 0n, ofMinor: minorOf(amount, currency) });
        break;
      case 'moved':
        move(event);
        break;
      case 'by-workers':
        moved.clear();
        for (const [state, count] of Object.entries(event.moved)) moved.set(state as PayoutState, count);
        for (const { currency, amount } of event.sent) {
          const money = sent.get(currency);
          if (money) sent.set(currency, { ...money, sentMinor: minorOf(amount, currency) });
        }
        break;
      case 'waiting':
        waiting = { why: event.why, untilMs: nowMs() + event.forMs };
        break;
      case 'notice':
      case 'alarm':
        break;
    }
  }

  function reach(name: Stage, done: number, of: number): void {
    waiting = undefined;
    const atMs = nowMs();
    if (stage?.name !== name || done < stage.done) {
      stage = { name, done, of, moments: [{ atMs, done }] };
      return;
    }
    stage.done = done;
    stage.of = of;
    const { moments } = stage;
    if (atMs - (moments.at(-1)?.atMs ?? atMs) < momentEveryMs) return;
    moments.push({ atMs, done });
    while (moments.length > 2 && atMs - (moments[0]?.atMs ?? atMs) > paceOverMs) moments.shift();
  }

  function move({ from, to, amount, currency }: Extract<RunEvent, { kind: 'moved' }>): void {
    const before = moved.get(from) ?? 0;
    if (before > 0) moved.set(from, before - 1);
    moved.set(to, (moved.get(to) ?? 0) + 1);
    if (stage?.name === 'settle' && from === 'submitted') reach('settle', stage.done + 1, stage.of);
    const money = sent.get(currency);
    if (to === 'submitted' && money)
      sent.set(currency, { ...money, sentMinor: money.sentMinor + minorOf(amount, currency) });
  }

  function read(): RunView {
    const leftMs = waiting ? waiting.untilMs - nowMs() : 0;
    return {
      stage: stage && { name: stage.name, done: stage.done, of: stage.of, perSecond: paceOf(stage.moments) },
      moved,
      money: [...sent].map(([currency, sums]) => ({ currency, ...sums })),
      waiting: waiting && leftMs > 0 ? { why: waiting.why, leftMs } : undefined,
      pulse: pulse(),
    };
  }

  function paceOf(moments: readonly Moment[]): number | undefined {
    const [first] = moments;
    const overMs = nowMs() - (first?.atMs ?? nowMs());
    if (!first || !stage || overMs < paceFromMs) return undefined;
    return ((stage.done - first.done) * 1000) / overMs;
  }

  return { take, read };
}

function minorOf(amount: string, currency: string): Minor {
  return minorFromDecimal(amount, findCurrency(currency)?.decimals ?? 0) ?? 0n;
}
