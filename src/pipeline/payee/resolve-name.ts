import type { ResolvedName } from '../../domain/names/name-evidence.ts';
import { cleanText } from '../../domain/text/clean-text.ts';
import type { Service } from '../../service/client.ts';
import { concealedMark } from '../../service/contract/concealed-mark.ts';
import { errorCode } from '../../service/contract/error-codes.ts';

export interface AccountToResolve {
  readonly destination: 'MoMo' | 'Bank Account';
  readonly currency: string;
  readonly number: string;
  readonly bankCode: string;
  readonly operator: string;
}

/** Undefined where the service could not be asked: nothing is known then, and nothing is decided. */
export async function resolveName(
  service: Pick<Service, 'resolveAccount'>,
  { destination, currency, number, bankCode, operator }: AccountToResolve,
): Promise<ResolvedName | undefined> {
  const outcome = await service.resolveAccount({
    body:
      destination === 'MoMo'
        ? {
            method: 'momo',
            accountNumber: number,
            currency,
            ...(operator === '' ? {} : { momoOperator: operator }),
          }
        : { method: 'bank', accountNumber: number, currency, bankCode },
  });
  if (outcome.kind === 'ok') return { kind: 'name', name: shownName(outcome.value.data.accountName ?? '') };
  if (outcome.kind !== 'refused') return undefined;
  return {
    kind: outcome.errorCode === errorCode.accountDoesNotExist ? 'no-account' : 'unsupported',
    name: '',
  };
}

/** No name is longer; what would act on a terminal or in a spreadsheet is left out before it is kept. */
const longestName = 200;

function shownName(name: string): string {
  // What stood beside a secret of ours was not said by somebody who looked the name up.
  if (name.includes(concealedMark)) return '';
  return cleanText(name.slice(0, 2 * longestName))
    .text.replace(/\p{C}/gu, '')
    .slice(0, longestName);
}
