import { Pool } from 'undici';
import type { DraftPayees } from '../journal/draft/draft-payees.ts';

/**
 * On the embedded service the people of the file are the people of the directory: a made-up stranger behind every
 * number would have each name held. Numbers with a magic ending still resolve as the table says.
 */
export async function enrolPeople(
  control: { readonly url: string; readonly apiKey: string },
  payees: DraftPayees,
): Promise<void> {
  const sandbox = new Pool(control.url);
  try {
    await enrolOver(sandbox, control.apiKey, payees);
  } finally {
    await sandbox.close();
  }
}

async function enrolOver(sandbox: Pool, apiKey: string, payees: DraftPayees): Promise<void> {
  for (const page of payees.pages()) {
    const people = page.map((payee) => ({
      number: payee.number,
      name: payees.rowsOf(payee)[0]?.accountName ?? '',
      ...(payee.destination === 'MoMo' ? {} : { bankCode: payee.bankCode }),
    }));
    const reply = await sandbox.request({
      path: '/_sandbox/people',
      method: 'POST',
      headers: { 'content-type': 'application/json', 'api-key': apiKey },
      body: JSON.stringify(people),
    });
    await reply.body.dump();
  }
}
