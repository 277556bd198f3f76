import type { Problem, Repair } from '../domain/problems/problem.ts';
import type { ProblemDocument, RepairDocument } from './schemas/problem-schema.ts';

export function problemDocument(problem: Problem): ProblemDocument {
  const { line: at, column: where, code, message, value, blocking } = problem;
  return { line: at, column: where ?? null, code, message, value, blocking };
}

export function repairDocument(repair: Repair): RepairDocument {
  const { line: at, column: where, code, message, from, to } = repair;
  return { line: at, column: where ?? null, code, message, from, to };
}
