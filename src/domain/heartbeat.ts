/** Whether the service answers. */
export interface Heartbeat {
  /** Since when nothing has come back although something was asked; 0 where nothing is missing. */
  readonly silentMs: number;
  readonly callsOpen: number;
  /** Reads that were asked once more. A payout is never among them. */
  readonly triedAgain: number;
}
