/** A deliberate fault in payrun, and the test that must go red over it. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly from: string;
  readonly to: string;
  readonly test: string;
  /** Of the test's title; without it any test of the file may be the one. */
  readonly title?: string;
}

export const mutants: readonly Mutant[] = [
  {
    name: 'no look-up before something unanswered is sent again',
    file: 'src/pipeline/waiting-room.ts',
    from: 'const seen = await carefulLookUp(context, payout);',
    to: "const seen = { kind: 'not-found' } as Awaited<ReturnType<typeof carefulLookUp>>;",
    test: 'test/scenarios/quiet-period.test.ts',
  },
  {
    name: 'the look-up before instead of after the quiet period',
    file: 'src/pipeline/waiting-room.ts',
    from: 'if (!quiet) return false;',
    to: 'if (!quiet) await context.clock.sleep(quietFor(context, payout));',
    test: 'test/scenarios/quiet-period.test.ts',
  },
  {
    name: 'no quiet period at all',
    file: 'src/pipeline/waiting-room.ts',
    from: 'const quiet = quietFor(context, payout) <= 0;',
    to: 'const quiet = true;',
    test: 'test/scenarios/quiet-period.test.ts',
  },
  {
    name: 'the journal is opened with synchronous=NORMAL',
    file: 'src/journal/open-journal.ts',
    from: "db.pragma('synchronous = FULL');\n    assert(db.pragma('synchronous', { simple: true }) === 2,",
    to: "db.pragma('synchronous = NORMAL');\n    assert(db.pragma('synchronous', { simple: true }) === 1,",
    test: 'test/journal/journal.test.ts',
  },
  {
    name: 'the lock of the batch is not taken',
    file: 'src/journal/batch-lock.ts',
    from: "db.exec('BEGIN EXCLUSIVE');",
    to: "db.exec('BEGIN');",
    test: 'test/journal/batch-lock.test.ts',
  },
  {
    name: 'the intent is written after the send',
    file: 'src/pipeline/submit-payout.ts',
    from: `const { payout, send } = await journal.beginSend(ready, why);
  memory.sends += 1;
  const outcome = await service.createPayout({ body });`,
    to: `const outcome = await service.createPayout({ body });
  const { payout, send } = await journal.beginSend(ready, why);
  memory.sends += 1;`,
    test: 'test/scenarios/disk-full.test.ts',
  },
  {
    name: 'what is unknown is called refused',
    file: 'src/pipeline/submit-payout.ts',
    from: "await journal.endSend(payout, send, 'unknown', outcome.sentence);",
    to: `const ended = await journal.endSend(payout, send, 'unknown', outcome.sentence);
      await journal.move({ payout: ended, to: 'refused', why: 'unknown', changes: { reason: outcome.sentence } });`,
    test: 'test/scenarios/everything-goes-wrong.test.ts',
  },
  {
    name: 'a refusal is trusted after an unknown',
    file: 'src/pipeline/submit-payout.ts',
    from: 'if (payout.unknownSends > 0) return;',
    to: 'if (payout.unknownSends > 1000) return;',
    test: 'test/scenarios/refused-after-unknown.test.ts',
  },
  {
    name: 'refused without a look-up',
    file: 'src/pipeline/submit-payout.ts',
    from: "const seen = await carefulLookUp(context, payout);\n  if (seen.kind === 'found')\n    await adopt(context, payout, seen, payout.attempt, 'refused, yet the service holds it');",
    to: "const seen = { kind: 'not-found' } as Awaited<ReturnType<typeof carefulLookUp>>;\n  if (seen.kind === 'found')\n    await adopt(context, payout, seen, payout.attempt, 'refused, yet the service holds it');",
    test: 'test/scenarios/refused-after-unknown.test.ts',
  },
  {
    name: 'sent again after a 401 or 429 without a look-up',
    file: 'src/pipeline/submit-payout.ts',
    from: "const seen = await carefulLookUp(context, payout);\n    if (seen.kind === 'found') {\n      await adopt(context, payout, seen, payout.attempt, 'found after an answer that refused it');",
    to: "const seen = { kind: 'not-found' } as Awaited<ReturnType<typeof carefulLookUp>>;\n    if (seen.kind === 'found') {\n      await adopt(context, payout, seen, payout.attempt, 'found after an answer that refused it');",
    test: 'test/scenarios/everything-goes-wrong.test.ts',
  },
  {
    name: 'the first hit of the list is adopted unseen',
    file: 'src/pipeline/look-up.ts',
    from: 'const judged = judgeTransaction(read.value.data, payout, transactionId);',
    to: "const judged = { kind: 'ours', status: 'successful' } as ReturnType<typeof judgeTransaction>;",
    test: 'test/scenarios/filter-ignored.test.ts',
  },
  {
    name: 'a settling read is believed whatever it shows',
    file: 'src/pipeline/7-settle-payouts.ts',
    from: 'const judged = judgeTransaction(shown, payout, payout.transactionId);',
    to: "const judged = { ...judgeTransaction(shown, payout, payout.transactionId), kind: 'ours' } as Judgement;",
    test: 'test/scenarios/paid-twice.test.ts',
  },
  {
    name: 'the attempt rises after a refusal',
    file: 'src/decisions/retry.ts',
    from: "move: { to: 'planned', why, changes: begunAnew(payout, run) }",
    to: "move: { to: 'planned', why, changes: { ...begunAnew(payout, run), attempt: payout.attempt + 1, reference: referenceOf(name, keyKind, payout.key, payout.attempt + 1) } }",
    test: 'test/decisions/retry.test.ts',
  },
  {
    name: 'the chain of events is not checked',
    file: 'src/journal/event-chain.ts',
    from: 'if (hash !== event.hash) return',
    to: 'if (hash.length !== event.hash.length) return',
    test: 'test/journal/event-chain.test.ts',
  },
  {
    name: 'the occurrence is part of the key',
    file: 'src/domain/reference.ts',
    from: ": { kind: 'paymentId', key: row.paymentId };",
    to: ": { kind: 'paymentId', key: [row.paymentId, 'line' in row ? row.line : ''].join('#') };",
    test: 'test/scenarios/added-row.test.ts',
  },
  {
    name: 'the reference depends on the day',
    file: 'src/domain/reference.ts',
    from: 'JSON.stringify([1, batch, kind, key, attempt])',
    to: 'JSON.stringify([1, batch, kind, key, attempt, new Date().getDate()])',
    test: 'test/domain/reference.test.ts',
  },
  {
    name: 'a verdict is shared by all payouts of a payee',
    file: 'src/pipeline/5-check-names.ts',
    from: 'const { verdict, reason } = verdictOf(payout, resolved);',
    to: `const shared = context.payees as { verdicts?: Map<string, NameVerdict> };
  shared.verdicts ??= new Map();
  const { verdict, reason } = shared.verdicts.get(payout.payee) ?? verdictOf(payout, resolved);
  shared.verdicts.set(payout.payee, { verdict, reason });`,
    test: 'test/scenarios/names.test.ts',
  },
  {
    name: 'a 5xx with an error code counts as refused',
    file: 'src/service/call-outcome.ts',
    from: "if (status >= 500 && status <= 599) return 'server-error';",
    to: "if (status >= 500 && status <= 599) return 'client-error';",
    test: 'test/service/call-outcome.test.ts',
  },
  {
    name: 'a time-out counts as not sent',
    file: 'src/service/call-outcome.ts',
    from: "return unknown('timed-out', 'The service did not answer in time.');",
    to: "return notSent('not-sent-in-time', 'The service did not answer in time.');",
    test: 'test/service/call-outcome.test.ts',
  },
  {
    name: 'a used reference counts as refused',
    file: 'src/service/call-outcome.ts',
    from: "if (call.effect === 'payout' && saysReferenceUsed(code, message)) {",
    to: "if (call.effect !== 'payout' && saysReferenceUsed(code, message)) {",
    test: 'test/scenarios/reference-used.test.ts',
  },
  {
    name: 'a send that was cut off counts as never made',
    file: 'src/journal/cut-off-sends.ts',
    from: "UPDATE sends SET outcome = 'unknown', detail = 'cut off'",
    to: "UPDATE payouts SET ever_sent = 0; UPDATE sends SET outcome = 'unknown', detail = 'cut off'",
    test: 'test/scenarios/killed-at-any-moment.test.ts',
  },
  {
    name: 'a payout is moved whatever state it is in',
    file: 'src/journal/journal.ts',
    from: 'WHERE id = @id AND state = @believed`',
    to: 'WHERE id = @id AND @believed <> char(0)`',
    test: 'test/journal/moves.test.ts',
  },
  {
    name: 'any move is allowed',
    file: 'src/journal/journal.ts',
    from: 'assert(mayMove(payout.state, to),',
    to: 'assert(mayMove(payout.state, to) || true,',
    test: 'test/journal/moves.test.ts',
  },
  {
    name: 'a later run sends without a look-up what it did not accept',
    file: 'src/pipeline/submit-payout.ts',
    from: '|| payout.acceptedRun !== run || payout.everSent;',
    to: '|| (payout.acceptedRun !== run && payout.everSent);',
    test: 'test/scenarios/journal-restored.test.ts',
  },
  {
    name: 'a journal that has forgotten is not noticed',
    file: 'src/pipeline/6-submit-payouts.ts',
    from: "if (seen.kind === 'found' || seen.kind === 'differs') forgotten += 1;",
    to: "if (seen.kind === 'differs') forgotten += 1;",
    test: 'test/scenarios/journal-lost.test.ts',
  },
  {
    name: 'a new attempt is sent though an earlier one has been paid since',
    file: 'src/pipeline/submit-payout.ts',
    from: 'if (!(await earlierAttemptsFailed(context, payout))) return;',
    to: 'await earlierAttemptsFailed(context, { ...payout, attempt: 1 });',
    test: 'test/scenarios/corrected-row.test.ts',
  },
  {
    name: 'an empty list is believed from a service that ignores the filter',
    file: 'src/pipeline/careful-look-up.ts',
    from: 'if (await passesSelfTest(context)) return found;',
    to: 'if ((await passesSelfTest(context)) || true) return found;',
    test: 'test/scenarios/filter-ignored.test.ts',
  },
  {
    name: 'sent again though the service never showed that it can be searched',
    file: 'src/pipeline/waiting-room.ts',
    from: 'if (!proofs.read()) return becomeUnclear(context, payout, unprovenReason);',
    to: 'proofs.read();',
    test: 'test/scenarios/first-payout-alone.test.ts',
  },
  {
    name: 'sent again without end',
    file: 'src/pipeline/waiting-room.ts',
    from: "if (payout.unknownSends > settings.resends && !isReleased(payout, 'send')) {",
    to: "if (payout.unknownSends > settings.resends + 5 && !isReleased(payout, 'send')) {",
    test: 'test/scenarios/quiet-period.test.ts',
  },
  {
    name: 'payments that repeat others are let through',
    file: 'src/pipeline/run-batch.ts',
    from: 'if (guarded.exit !== exitCode.ok) return',
    to: "if (guarded.exit !== exitCode.ok && guarded.plan.guards.some(({ code }) => code !== 'repeats')) return",
    test: 'test/scenarios/renamed-copy.test.ts',
  },
  {
    name: 'what was sent before does not count against --max-total',
    file: 'src/pipeline/limits.ts',
    from: 'const wouldBe = (sentMinor.get(currency) ?? 0n) + toSendMinor;',
    to: 'const wouldBe = (sentMinor.size > 0 ? 0n : 0n) + toSendMinor;',
    test: 'test/scenarios/limits.test.ts',
  },
  {
    name: 'an account with the number of another bank is adopted',
    file: 'src/pipeline/4-upsert-payees.ts',
    from: 'if (!isOf(account, payout))\n    return',
    to: 'if (!isOf(account, payout) && account.country !== payout.country)\n    return',
    test: 'test/scenarios/account-behind-our-back.test.ts',
  },
  {
    name: 'a formula in a cell is left alive in the results',
    file: 'src/domain/text/formula-mark.ts',
    from: 'return isDangerous(text) ?',
    to: "return isDangerous(text) && text === '' ?",
    test: 'test/domain/text/formula-mark.test.ts',
  },
  {
    name: 'what goes out is not held against what was accepted',
    file: 'src/pipeline/submit-payout.ts',
    from: 'fingerprint !== payout.fingerprint',
    to: 'fingerprint.length !== payout.fingerprint.length',
    test: 'test/scenarios/journal-tampered.test.ts',
  },
];
