import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { claimPrivateFile } from '../storage/private-file.ts';

/** Beside a lock: who took it last. It only helps a person find the other run; whether it is held the kernel alone knows. */
export function noteHolder(lockPath: string, nowMs: number): void {
  try {
    claimPrivateFile(notePath(lockPath));
    writeFileSync(notePath(lockPath), `${holderNote(nowMs)}\n`);
  } catch {
    // A lock that is held without a note is held.
  }
}

export function holderText(lockPath: string): string {
  try {
    return textOfHolder(readFileSync(notePath(lockPath), 'utf8'));
  } catch {
    return '';
  }
}

/** This process, as whoever waits for it will be told. */
export function holderNote(nowMs: number): string {
  return JSON.stringify({ pid: process.pid, host: hostname(), since: new Date(nowMs).toISOString() });
}

/** ` (process 4711 on host, since 2026-11-15 08:15 UTC)`; nothing where nobody left a note. */
export function textOfHolder(note: string): string {
  try {
    const { pid, host, since } = JSON.parse(note) as Record<string, unknown>;
    if (!Number.isInteger(pid) || typeof host !== 'string' || typeof since !== 'string') return '';
    return ` (process ${String(pid)} on ${host.slice(0, 64)}, since ${since.slice(0, 16).replace('T', ' ')} UTC)`;
  } catch {
    return '';
  }
}

function notePath(lockPath: string): string {
  return `${lockPath}.holder`;
}
