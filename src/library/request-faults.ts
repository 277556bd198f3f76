import type * as z from 'zod';
import type { Endpoint } from '../service/contract/endpoint.ts';

/** What the contract does not take of a request. Places and rules only: the values may be account or card numbers. */
export function requestFaults(endpoint: Endpoint, request: unknown): string[] {
  const parts = request as Readonly<Record<string, unknown>>;
  return (['params', 'query', 'body'] as const).flatMap((part) => {
    const fit = endpoint[part]?.safeParse(parts[part]);
    return (fit?.error?.issues ?? []).map(faultText);
  });
}

type Issue = z.core.$ZodIssue;

function faultText(issue: Issue): string {
  const place = issue.path.filter((each) => each !== 'payload').join('.') || 'what was given';
  // A rule over several fields names them itself.
  return issue.code === 'custom' ? `${place}: ${issue.message}` : `${place} ${ruleText(issue)}`;
}

function ruleText(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return 'is missing, or of another kind than it must be';
    // Their names came from outside, and may be anything.
    case 'unrecognized_keys':
      return 'has fields that the service does not know';
    case 'too_small':
      return 'is empty, too short or too small';
    case 'too_big':
      return 'is too long or too large';
    case 'invalid_value':
      return `must be one of: ${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      // Every pattern of the contract has words of its own.
      return issue.format === 'regex'
        ? issue.message
        : (formatRules[issue.format] ?? 'has not the right form');
    default:
      return 'is not as the service takes it';
  }
}

const formatRules: Readonly<Record<string, string>> = {
  date: 'must be a date such as 2026-11-30',
  email: 'must be an e-mail address',
  url: 'must be an address that begins with https://',
};
