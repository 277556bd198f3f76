import { beneficiaryOf, railTrouble } from '../faults/rail-rules.ts';
import { answer, failure } from '../http/reply.ts';
import type { Call, Route } from '../http/route.ts';
import type { ExternalAccountRecord } from '../store/external-account-store.ts';
import { newId } from '../store/new-id.ts';

export const createExternalAccount: Route<'createExternalAccount'> = (world, call) => {
  const record = newRecord(call);
  const trouble = railTrouble(record);
  if (trouble) return trouble;
  if (world.externalAccounts.holder(record) !== undefined) return failure('E-BEN.S-35');
  world.externalAccounts.add(record);
  return answer({ message: 'External account created.', data: { id: record.id } });
};

export const listExternalAccounts: Route<'listExternalAccounts'> = (world) =>
  answer({ data: world.externalAccounts.all().map(shown) });

export const readExternalAccount: Route<'readExternalAccount'> = (world, { params }) => {
  const record = world.externalAccounts.find(params.externalAccountId);
  return record ? answer({ data: shown(record) }) : failure('E-BEN.S-90');
};

export const updateExternalAccount: Route<'updateExternalAccount'> = (world, { params, body }) => {
  const present = world.externalAccounts.find(params.externalAccountId);
  if (!present) return failure('E-BEN.S-90');
  const record = { ...present, ...beneficiaryOf(body, body.payoutMethod) };
  const trouble = railTrouble(record);
  if (trouble) return trouble;
  const holder = world.externalAccounts.holder(record);
  if (holder !== undefined && holder !== present.id) return failure('E-BEN.S-35');
  world.externalAccounts.change(record);
  return answer({ message: 'External account updated.' });
};

export const deleteExternalAccount: Route<'deleteExternalAccount'> = (world, { params }) =>
  world.externalAccounts.remove(params.externalAccountId)
    ? answer({ message: 'External account deleted.' })
    : failure('E-BEN.S-90');

function newRecord({ body, atMs }: Call<'createExternalAccount'>): ExternalAccountRecord {
  const { country, currency, payload } = body;
  const method =
    'phoneNumber' in payload
      ? {
          ...payload,
          accountName: `${payload.firstName} ${payload.lastName}`.trim(),
          accountNumber: payload.phoneNumber,
        }
      : payload;
  const rail = { country, currency, destination: payload.destination };
  return { ...beneficiaryOf(rail, method), id: newId(), createdS: Math.floor(atMs / 1000) };
}

function shown(record: ExternalAccountRecord): Record<string, unknown> {
  return {
    externalAccountId: record.id,
    country: record.country,
    currency: record.currency,
    destination: record.destination,
    createdAt: record.createdS,
    payoutMethod: {
      branchCode: record.branchCode,
      code: record.code,
      accountName: record.accountName,
      accountNumber: record.number,
    },
  };
}
