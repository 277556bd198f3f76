/** Whole UTC days, both included. */
export const fromDay = 'created_ms >= 1000 * unixepoch(?)';
export const toDay = "created_ms < 1000 * unixepoch(?, '+1 day')";
