import { DBOS } from '@dbos-inc/dbos-sdk';
import pLimit from 'p-limit';
import { openClient } from '../programs/open-client.mjs';
import { payRow, readPayroll } from '../programs/read-payroll.mjs';

/** A durable workflow a row, each call a step of it, checkpointed in Postgres. */
const { file, origin, concurrency } = JSON.parse(process.argv[2]);
const client = openClient(origin, concurrency);
const asStep = (verb) => (path, body) =>
  DBOS.runStep(() => client[verb](path, body), { name: `${verb} ${path.split('/')[1]}` });
const pay = DBOS.registerWorkflow(
  (row) => payRow(row, 'dbos', { get: asStep('get'), post: asStep('post') }),
  {
    name: 'pay',
  },
);
DBOS.setConfig({
  name: 'payrun-bench',
  applicationVersion: '1',
  systemDatabaseUrl: process.env.PAYRUN_BENCH_POSTGRES,
  logLevel: 'error',
  runAdminServer: false,
});
await DBOS.launch();
const limit = pLimit(concurrency);
await Promise.all(readPayroll(file).map((row) => limit(() => pay(row))));
await DBOS.shutdown();
await client.close();
