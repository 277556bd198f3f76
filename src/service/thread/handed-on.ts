import { Buffer } from 'node:buffer';

/** Enough for who takes them never to wait, and few enough that a long list is not held twice. */
const mostUntaken = 4;

/** Hands a reply on piece by piece, no faster than the pieces are taken. */
export function handedOn(give: (piece: Uint8Array<ArrayBuffer>) => void) {
  let untaken = 0;
  let onRoom: (() => void) | undefined;
  return {
    skim(piece?: Buffer): Buffer {
      if (piece) {
        untaken += 1;
        // Of its own: what it was read into may hold others.
        give(new Uint8Array(piece));
      }
      return nothing;
    },
    isFull(goOn: () => void): boolean {
      const isFull = untaken >= mostUntaken;
      if (isFull) onRoom = goOn;
      return isFull;
    },
    taken(): void {
      untaken -= 1;
      // What goes on may fill it again at once.
      const goOn = onRoom;
      onRoom = undefined;
      goOn?.();
    },
  };
}

const nothing = Buffer.alloc(0);
