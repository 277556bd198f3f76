import { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { openEmptyJournal } from '../../src/journal/open-journal.ts';
import type { PlannedFile } from '../../src/pipeline/plan/planned-file.ts';
import { planFile } from '../../src/pipeline/plan-file.ts';
import { draftDefaults } from '../support/draft-options.ts';

const usualHeader = 'paymentId,accountName,country,currency,amount,phoneNumber';

/** What a file of these rows would do, by an empty journal and without a service. */
export async function plannedFile(
  rows: readonly string[] = ['E1,Mary Wanjiku,KE,KES,1000,0712345678'],
  header = usualHeader,
): Promise<PlannedFile> {
  const db = openEmptyJournal();
  onTestFinished(() => void db.close());
  const policy = {
    skipInvalid: false,
    onClose: 'hold',
    onMismatch: 'hold',
    onUnchecked: 'hold',
    limitPayout: new Map(),
  } as const;
  return planFile(db, Readable.from([Buffer.from([header, ...rows].join('\n'))]), undefined, {
    ...draftDefaults,
    batchOtherwise: 'payroll',
    allowRepeats: 0,
    sameBatch: false,
    noticePercent: 25,
    policy,
    reserves: new Map(),
    checkNames: false,
    concurrency: 1,
  });
}
