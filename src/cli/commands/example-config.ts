/** What may stand in payrun.config.json, with a word on each. It is never read. */
export const exampleConfig = `// An example of what may stand in payrun.config.json. payrun does not read this file. Copy lines from it
// without their comments: payrun.config.json is plain JSON. Flags and the environment come before it.
{
  // The service. The API key is a secret and never stands here: PAYRUN_API_KEY or PAYRUN_API_KEY_FILE.
  "baseUrl": "https://api.example.com",
  "publicKey": "pk_live_...",

  // A journal in Postgres instead of a file of the workspace. A password never stands here: PAYRUN_JOURNAL_URL_FILE.
  "journalUrl": "postgres://payrun@db.example.com/payrun",

  // For dates in names of batches, such as payroll-{yyyy}-{MM}.
  "timezone": "Africa/Nairobi",

  // How your export calls its columns, and what it leaves out.
  "columns": { "Net Pay": "amount", "Staff No": "paymentId", "Department": "none" },
  "defaults": { "country": "KE", "currency": "KES" },
  "banks": { "Our co-operative": "11" },

  // Calls at the same time, and most calls a second.
  "concurrency": 8,
  "rate": 20,

  // The same payment within this time is a repeat, and refused.
  "repeatWindow": "5d",

  // Names that are nearly right, wrong, or cannot be checked: hold or pay.
  "onClose": "hold",
  "onMismatch": "hold",
  "onUnchecked": "hold"
}
`;
