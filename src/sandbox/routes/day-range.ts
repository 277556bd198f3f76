const dayMs = 24 * 60 * 60 * 1000;

/** Whole UTC days, both included. */
export function dayRange(
  startDate: string | undefined,
  endDate: string | undefined,
): { fromMs: number | undefined; beforeMs: number | undefined } {
  return {
    fromMs: startDate === undefined ? undefined : Date.parse(`${startDate}T00:00:00Z`),
    beforeMs: endDate === undefined ? undefined : Date.parse(`${endDate}T00:00:00Z`) + dayMs,
  };
}
