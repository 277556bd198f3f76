import type Database from 'better-sqlite3';

export type JournalDatabase = Database.Database;
