/** A bit for each number of a payout: a batch may have a million of them. */
export interface IdSet {
  add(id: number): void;
  has(id: number): boolean;
}

const bitsOfByte = 8;

export function createIdSet(): IdSet {
  let bytes = new Uint8Array(1024);
  const byteOf = (id: number) => Math.floor(id / bitsOfByte);
  const bitOf = (id: number) => 1 << (id % bitsOfByte);
  return {
    add(id) {
      const place = byteOf(id);
      if (place >= bytes.length) {
        const larger = new Uint8Array(2 * (place + 1));
        larger.set(bytes);
        bytes = larger;
      }
      bytes[place] = (bytes[place] ?? 0) | bitOf(id);
    },
    has: (id) => ((bytes[byteOf(id)] ?? 0) & bitOf(id)) !== 0,
  };
}
