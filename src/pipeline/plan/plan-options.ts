import type { Environment } from '../../domain/environment/environment.ts';
import type { RebindCommand } from '../../domain/environment/other-environment.ts';
import type { Policy, Tightening } from '../../domain/policy.ts';
import type { DraftPayees } from '../../journal/draft/draft-payees.ts';
import type { DraftOptions } from '../draft/draft-options.ts';
import type { PlannedNames } from '../payee/cached-name.ts';
import type { ConfiguredService, InspectOptions, ReadOnlyService } from './inspect-service.ts';
import type { RetryCommand } from './locked-row-problem.ts';

export interface PlanFileOptions extends DraftOptions, InspectOptions {
  readonly allowRepeats: number;
  readonly sameBatch: boolean;
  readonly noticePercent: number;
  /** As much of the policy as a person really said: a mere default makes that of a batch no stricter. */
  readonly stated?: Tightening | undefined;
  readonly policy: Policy;
  /** How long a name that was asked holds. */
  readonly namesMaxAgeMs?: number | undefined;
  /** Where a run keeps the names that it asks for; a mere plan keeps none. */
  readonly keepNames?: ((environment: Environment) => PlannedNames) | undefined;
  /** For a row whose payout was cancelled. */
  readonly retryCommand?: RetryCommand | undefined;
  /** For a batch that was begun with another account. */
  readonly rebindCommand?: RebindCommand | undefined;
}

/** The service that a plan may look at. */
export interface AskedService extends ConfiguredService {
  readonly service: ReadOnlyService;
  /** Done before names are asked; the embedded service learns here who the people of the file are. */
  readonly prepare?: ((payees: DraftPayees) => Promise<void>) | undefined;
}
