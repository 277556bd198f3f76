/** What a run tells whoever listens: live view, log and JSON lines are listeners, none of them known to the pipeline. */
export type RunEvent =
  | {
      readonly kind: 'stage';
      readonly stage: 'payees' | 'names' | 'submit' | 'settle' | 'results';
      readonly of: number;
    }
  | {
      readonly kind: 'moved';
      readonly key: string;
      readonly from: string;
      readonly to: string;
      readonly reason: string;
    }
  | { readonly kind: 'waiting'; readonly why: string; readonly forMs: number }
  | { readonly kind: 'notice'; readonly message: string }
  | { readonly kind: 'alarm'; readonly message: string };

export type OnEvent = (event: RunEvent) => void;
