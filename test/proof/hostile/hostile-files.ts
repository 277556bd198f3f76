import { readdirSync, readFileSync } from 'node:fs';
import { openEmptyJournal } from '../../../src/journal/open-journal.ts';
import { seededChance } from '../../support/chance.ts';
import type { Campaign } from '../campaign.ts';
import type { Violation } from '../oracle.ts';
import { judgeNames } from './batch-names.ts';
import { damageBytes, pick } from './damage-bytes.ts';
import { hostileCommands, runHostileCommand } from './hostile-commands.ts';
import { judgeFile } from './judge-file.ts';
import { naiveSums } from './naive-sums.ts';
import { soundFiles } from './sound-files.ts';

const whole = { damaged: 20_000, sound: 2_000, names: 20_000 };

export const hostileFiles: Campaign = {
  name: 'hostile-files',
  title:
    'Damaged, forged and endless files, tricks in names and paths: read in this process and by the command line',
  atLeast: { 'damaged files': 20_000, 'sound files in every form': 2_000, 'hostile commands': 40 },
  async run({ seed, share, say }) {
    const violations: Violation[] = [];
    const damaged = await throwDamaged(seed, Math.ceil(whole.damaged * share), violations);
    say(`${damaged.files} damaged files, ${damaged.known} of them with a sum that can be known`);
    const sound = soundFiles(seed, Math.ceil(whole.sound * share));
    const db = openEmptyJournal();
    for (const file of sound) violations.push(...(await judgeFile(db, file)));
    db.close();
    violations.push(...judgeNames(seed, Math.ceil(whole.names * share)));
    const commands = hostileCommands(share, seed);
    await Promise.all(
      [0, 1].map(async (lane) => {
        for (const [index, command] of commands.entries()) {
          if (index % 2 === lane) violations.push(...(await runHostileCommand(command)));
        }
      }),
    );
    say(`${commands.length} commands`);
    return {
      counts: {
        'damaged files': damaged.files,
        'files with a known sum': damaged.known,
        'sound files in every form': sound.length,
        'batch names': Math.ceil(whole.names * share),
        'hostile commands': commands.length,
      },
      violations,
    };
  },
};

async function throwDamaged(
  seed: number,
  count: number,
  violations: Violation[],
): Promise<{ readonly files: number; readonly known: number }> {
  const originals = originalFiles();
  const db = openEmptyJournal();
  let known = 0;
  for (let index = 0; index < count; index += 1) {
    const chance = seededChance(seed * 1_000_003 + index);
    const [name, bytes] = pick(originals, chance);
    const damaged = damageBytes(bytes, chance);
    const sums = naiveSums(damaged.bytes);
    if (sums) known += 1;
    const replay = `seed ${seed}, file ${index} (${name}: ${damaged.what})`;
    violations.push(...(await judgeFile(db, { replay, bytes: damaged.bytes, sums })));
  }
  db.close();
  return { files: count, known };
}

/** The samples and the corpus; and, as often as all of them, a payroll so plain that its sum can be known. */
function originalFiles(): [string, Buffer][] {
  const root = new URL('../../../', import.meta.url);
  const files = ['samples/', 'test/fixtures/files/'].flatMap((folder) =>
    readdirSync(new URL(folder, root))
      .filter((name) => /\.(csv|tsv|txt|xls)$/.test(name))
      .map((name): [string, Buffer] => [name, readFileSync(new URL(`${folder}${name}`, root))]),
  );
  const rows = Array.from(
    { length: 8 },
    (_, index) => `P${index},Amina Otieno,KE,KES,${100 + index}.50,+25471200010${index},note ${index}`,
  );
  const header = 'paymentId,accountName,country,currency,amount,phoneNumber,narration';
  const plain: [string, Buffer] = ['plain', Buffer.from(`${[header, ...rows].join('\n')}\n`)];
  return [...files, ...files.map(() => plain)];
}
