import { expect, test } from 'vitest';
import { gathered } from '../../src/service/thread/thread-messages.ts';

function posted(underWay: number) {
  const messages: (readonly number[])[] = [];
  const later: (() => void)[] = [];
  const tell = gathered<number>(
    (together) => messages.push(together),
    (act) => later.push(act),
    () => underWay,
  );
  const endTurn = () => {
    for (const act of later.splice(0)) act();
  };
  return { messages, tell, endTurn };
}

test('of few calls under way each is told at once, and alone', () => {
  const { messages, tell, endTurn } = posted(8);
  for (const message of [1, 2, 3]) tell(message);
  expect(messages).toEqual([[1], [2], [3]]);
  endTurn();
  expect(messages).toHaveLength(3);
});

test('of many calls those of one turn are told together, eight at a time, in their order', () => {
  const { messages, tell, endTurn } = posted(9);
  for (const message of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) tell(message);
  expect(messages).toEqual([[1, 2, 3, 4, 5, 6, 7, 8]]);
  endTurn();
  expect(messages).toEqual([
    [1, 2, 3, 4, 5, 6, 7, 8],
    [9, 10],
  ]);
  tell(11);
  endTurn();
  expect(messages.at(-1)).toEqual([11]);
});

test('what waits for the end of its turn is not overtaken once calls have become few', () => {
  const messages: (readonly number[])[] = [];
  let underWay = 9;
  const tell = gathered<number>(
    (together) => messages.push(together),
    () => undefined,
    () => underWay,
  );
  tell(1);
  underWay = 8;
  tell(2);
  expect(messages).toEqual([[1, 2]]);
});
