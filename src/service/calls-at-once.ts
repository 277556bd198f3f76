import pLimit from 'p-limit';
import type { Service } from './client.ts';
import { type EndpointName, endpoints } from './contract/endpoints.ts';

/**
 * The same service, with no more than so many calls under way at once, however many want to call: each waits for its place, the
 * first who asked first. The turn of a payout comes with a place, so that nothing is waited for once its intent is written.
 */
export function callsAtOnce(service: Service, most: number): Service {
  const places = pLimit(most);
  /** Resolves to what gives it back. */
  const takePlace = () =>
    new Promise<() => void>((have) => {
      void places(() => new Promise<void>((giveBack) => have(giveBack)));
    });

  async function inPlace<Value>(call: () => Promise<Value>): Promise<Value> {
    const giveBack = await takePlace();
    try {
      return await call();
    } finally {
      giveBack();
    }
  }

  const methods = (Object.keys(endpoints) as EndpointName[]).map((name) => {
    const method = service[name] as (...given: readonly unknown[]) => Promise<unknown>;
    return [name, (...given: readonly unknown[]) => inPlace(() => method(...given))];
  });
  return {
    ...service,
    ...(Object.fromEntries(methods) as Partial<Service>),

    async takeTurn(signal) {
      const giveBack = await takePlace();
      try {
        const turn = await service.takeTurn(signal);
        if (turn.kind === 'ok') return { kind: 'ok', value: { ...turn.value, giveBack } };
        giveBack();
        return turn;
      } catch (error) {
        giveBack();
        throw error;
      }
    },

    async createPayout(...given: Parameters<Service['createPayout']>) {
      try {
        return await service.createPayout(...given);
      } finally {
        given[1].turn?.giveBack?.();
      }
    },
  };
}
