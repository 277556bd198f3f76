import type { EnvironmentKind } from '../../domain/environment/environment.ts';

/** Whose report a page is. */
export interface ReportMark {
  readonly batch: string;
  readonly kind: EnvironmentKind;
}

/** The first bytes of every report: by them payrun knows its own again before it writes over one. */
export function reportMark({ batch, kind }: ReportMark): string {
  return `<!doctype html>\n<html lang="en" data-payrun-batch="${encodeURIComponent(batch)}" data-payrun-environment="${kind}">\n`;
}

/** Undefined where a text is the beginning of something else. */
export function readReportMark(text: string): ReportMark | undefined {
  const [, batch, kind] = mark.exec(text) ?? [];
  if (batch === undefined || kind === undefined) return undefined;
  try {
    return { batch: decodeURIComponent(batch), kind: kind as EnvironmentKind };
  } catch {
    return undefined;
  }
}

const mark =
  /^<!doctype html>\n<html lang="en" data-payrun-batch="([^"]*)" data-payrun-environment="(live|test|sandbox)">\n/;
