import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { employee, openPayroll } from '../../support/pay-run.ts';
import { startPayrollService } from '../../support/payroll-service.ts';

test('a key file that is named as configuration is not shown, neither its beginning nor its end', async () => {
  const service = await startPayrollService();
  const payroll = openPayroll(service);
  payroll.write('november.csv', [employee(1)]);
  const key = 'sk_live_7Qz';
  const texts = [
    key,
    `{"key": ${key}`,
    `"${key}"`,
    `{"baseUrl": "${key}", "concurrency": "${key}", "onClose": "${key}"}`,
  ];
  for (const [index, text] of texts.entries()) {
    const file = join(payroll.folder, `key-${index}`);
    writeFileSync(file, text, { mode: 0o600 });
    const ran = await payroll.payrun(['plan', 'november.csv', '--json', '--config', file]);
    expect([text, ran.exit]).toEqual([text, 78]);
    for (const piece of [key, 'sk_', '7Qz']) expect(`${ran.stdout}${ran.stderr}`).not.toContain(piece);
    expect(JSON.parse(ran.stdout)).toMatchObject({ error: { code: 'config-invalid' } });
    if (index < 2) expect(ran.stderr).toContain('it is not JSON (line 1, column');
  }
});
