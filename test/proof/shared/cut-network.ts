import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { hasOpenssl } from '../../support/self-signed.ts';

export type Destination = 'postgres' | 'service';

/** Machines in network namespaces of their own, a router between them and this one, and two addresses that they reach here. */
export interface CutNetwork {
  readonly addresses: Readonly<Record<Destination, string>>;
  /** What stands before a command that runs on that machine. */
  on(machine: number): readonly string[];
  /** From now on the router drops what passes between the two, and tells neither. */
  cut(machine: number, from: Destination): void;
  heal(machine: number, from: Destination): void;
  remove(): void;
}

/** Why there can be none here; undefined where there can. */
export function whyNoNetworks(): string | undefined {
  if (!hasOpenssl()) return 'there is no openssl to make a certificate';
  try {
    openCutNetwork(1).remove();
    return undefined;
  } catch (error) {
    return `no network namespaces can be made: ${String(error).split('\n')[0]}`;
  }
}

/** Of the range that is kept for trials of networks: nobody has a real address in it. */
export function openCutNetwork(machines: number): CutNetwork {
  const id = randomInt(512);
  const address = (last: number) => `198.${18 + (id >> 8)}.${id & 255}.${last}`;
  const name = (what: string) => `payrun${id}${what}`;
  const router = name('r');
  const addresses = { postgres: address(1), service: address(2) };
  const addressOf = (machine: number) => address(18 + 4 * machine);
  const spaces = [router, ...Array.from({ length: machines }, (_, machine) => name(`m${machine}`))];

  function openRouter(): void {
    ip(`netns add ${router}`);
    ip(`link add ${name('h')} type veth peer name here netns ${router}`);
    for (const each of Object.values(addresses)) ip(`addr add ${each}/29 dev ${name('h')}`);
    ip(`link set ${name('h')} up`);
    ip(`-n ${router} addr add ${address(3)}/29 dev here`);
    for (const link of ['here', 'lo']) ip(`-n ${router} link set ${link} up`);
    run('ip', 'netns', 'exec', router, 'sh', '-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward');
    ip(`route add ${address(0)}/24 via ${address(3)}`);
  }

  function openMachine(machine: number): void {
    const space = name(`m${machine}`);
    const next = address(17 + 4 * machine);
    ip(`netns add ${space}`);
    ip(`-n ${router} link add m${machine} type veth peer name eth0 netns ${space}`);
    ip(`-n ${router} addr add ${next}/30 dev m${machine}`);
    ip(`-n ${router} link set m${machine} up`);
    ip(`-n ${space} addr add ${addressOf(machine)}/30 dev eth0`);
    for (const link of ['eth0', 'lo']) ip(`-n ${space} link set ${link} up`);
    ip(`-n ${space} route add default via ${next}`);
  }

  /** Both ways: an answer is as lost as a question. */
  function rule(verb: 'add' | 'del', machine: number, from: Destination): void {
    const [one, other] = [addressOf(machine), addresses[from]];
    ip(`-n ${router} rule ${verb} from ${one} to ${other} blackhole`);
    ip(`-n ${router} rule ${verb} from ${other} to ${one} blackhole`);
  }

  function remove(): void {
    // A space goes when the last process in it has gone; the link to this machine goes now.
    for (const words of [`link del ${name('h')}`, ...spaces.map((space) => `netns del ${space}`)]) {
      try {
        ip(words);
      } catch {
        // It was never made.
      }
    }
  }

  try {
    openRouter();
    for (let machine = 0; machine < machines; machine += 1) openMachine(machine);
  } catch (error) {
    remove();
    throw error;
  }
  return {
    addresses,
    on: (machine) => ['ip', 'netns', 'exec', name(`m${machine}`)],
    cut: (machine, from) => rule('add', machine, from),
    heal: (machine, from) => rule('del', machine, from),
    remove,
  };
}

function ip(words: string): void {
  run('ip', ...words.split(' '));
}

function run(program: string, ...words: readonly string[]): void {
  execFileSync(program, words, { stdio: ['ignore', 'ignore', 'pipe'] });
}
