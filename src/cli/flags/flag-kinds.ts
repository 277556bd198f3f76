/** Given or not. */
export function switchFlag(describe: string) {
  return { type: 'boolean', default: false, describe } as const;
}

export function textFlag(describe: string) {
  return { type: 'string', describe } as const;
}

/** Given once for each value, so that no word behind it is taken for one. */
export function listFlag(describe: string) {
  return { type: 'string', array: true, nargs: 1, default: [] as string[], describe } as const;
}

export const jsonFlag = switchFlag('One JSON document on stdout');

export const batchName = { ...textFlag('Name of the batch'), demandOption: true } as const;
export const batchOrAll = textFlag('Name of the batch; default: all batches');
