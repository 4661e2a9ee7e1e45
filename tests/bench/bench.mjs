// Measures the figures the project has set itself, the proxy beside nginx against the same mock in one run. Started by run.sh.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, release, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median, rounded } from './numbers.mjs';
import { DesktopBench } from './desktop.mjs';
import { cores, output, run, stop, stopAll } from './processes.mjs';
import { Bench } from './rows.mjs';
import { startHeadless, startMock, startNginx } from './targets.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '../..');
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    headless: { type: 'string', default: join(root, 'build/release/app/omniroute-headless') },
    desktop: { type: 'string', default: join(root, 'build/release/app/omniroute-desktop') },
    pages: { type: 'string', default: join(root, 'build/release/tests/omniroute-bench-pages') },
    fill: { type: 'string', default: join(root, 'build/release/tests/omniroute-bench-fill') },
    tools: { type: 'string', default: join(root, 'build/bench') },
  },
});
const programs = { mock: join(options.tools, 'mock_upstream'), loadgen: join(options.tools, 'loadgen') };
const wanted = (name) => !options.only.length || options.only.includes(name);
const runDir = mkdtempSync(join(tmpdir(), 'omniroute-bench-'));
const began = Date.now();
const rows = [];

function add(...found) {
  for (const row of found.flat()) {
    rows.push(row);
    console.log(`${row.pass === null ? 'open' : row.pass ? 'pass' : 'FAIL'}  ${row.what.padEnd(58)} ${row.value.padEnd(44)} ${row.reach}`);
  }
}

// A row that cannot be measured is a failed row, not the end of the others.
async function attempt(name, measure) {
  if (!wanted(name)) return;
  try {
    add(await measure());
  } catch (error) {
    add({ id: name, what: name, reach: '', value: String(error.message ?? error).slice(0, 300), pass: false, detail: {} });
  }
}

// A thousand connections and a million requests of the past, made once for all rows that need them.
let largeFolder;
function large(mock) {
  largeFolder ??= (async () => {
    const dataDir = join(runDir, 'large');
    const connections = options.quick ? 200 : 1000;
    const logRows = options.quick ? 100_000 : 1_000_000;
    const setup = await startHeadless(options.headless, dataDir);
    await setup.management.call('PATCH', '/api/settings', { log: { maxRows: 2_000_000, maxAgeDays: 3650 }, routing: { maxAttempts: 64 } });
    await setup.management.addMock('mock', mock.port, connections);
    await stop(setup.child);
    await run(cores.load, options.fill, [dataDir, String(logRows)]);
    return { dataDir, connections, logRows };
  })();
  return largeFolder;
}

async function startTime(mock) {
  const { dataDir, connections, logRows } = await large(mock);
  const body = JSON.stringify({ model: 'mock/mock', messages: [{ role: 'user', content: 'Hello' }] });
  const times = [];
  const kept = [];
  for (let i = 0; i < (options.quick ? 3 : 7); ++i) {
    const from = performance.now();
    const { child, url, management } = await startHeadless(options.headless, dataDir);
    const answer = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const good = answer.status === 200 && (await answer.json()).object === 'chat.completion';
    times.push(performance.now() - from);
    if (!good) throw new Error(`the first request was answered ${answer.status}`);
    if (i === 0) kept.push((await management.call('GET', '/api/providers?limit=1')).total);
    await stop(child);
  }
  const time = median(times);
  return {
    id: 'start', what: `start to first served request, ${connections} connections, ${logRows} log rows`, reach: 'at most 300 ms',
    value: `${rounded(time, 0)} ms`, pass: time <= 300 && kept[0] >= connections, detail: { times, connections: kept[0], logRows },
  };
}

async function main() {
  const mock = await startMock(programs);
  const big = await startMock(programs);
  const apart = await startMock(programs, cores.proxy);
  const nginx = await startNginx(join(here, 'conf/nginx.conf.in'), join(runDir, 'nginx'), mock, big);
  const proxy = await startHeadless(options.headless, join(runDir, 'data'));
  await proxy.management.addMock('mock', mock.port);
  await proxy.management.addMock('big', big.port);
  const ways = { direct: mock.port, directApart: apart.port, bigDirect: big.port, nginx: nginx.port, proxy: proxy.port };
  const bench = new Bench({ programs, ways, runDir, quick: options.quick });

  await attempt('latency', () => bench.latency());
  await attempt('throughput', () => bench.throughput());
  await attempt('streams', () => bench.streams());
  await attempt('memory', () => bench.memoryAfterLoad(proxy.child, 'memory-headless', 40, 'memory, headless after load'));
  await attempt('open-streams', () => bench.openStreams(proxy.child));
  await attempt('big-prompt', () => bench.bigPrompt());
  await attempt('pause', () => bench.pause());
  await stop(proxy.child);
  await stop(nginx.child);
  const desktop = new DesktopBench({ options, programs, runDir, mock });
  await attempt('desktop', () => desktop.memoryAfterLoad());
  await attempt('desktop', () => desktop.processor('cpu-desktop', 'desktop with the window open, 10 requests a second', [], 4));
  await attempt('desktop', () => desktop.processor('cpu-hidden', 'desktop closed to the tray, 10 requests a second', ['--hidden'], 1));
  await attempt('desktop', () => desktop.memoryOfPages());
  await attempt('start', () => startTime(mock));
  await attempt('pages', async () => desktop.pages(await large(mock)));

  const report = {
    when: new Date(began).toISOString(), seconds: rounded((Date.now() - began) / 1000, 1), quick: options.quick,
    machine: { cpu: cpus()[0].model, cores: cpus().length, kernel: release(), nginx: output('sh', ['-c', 'nginx -v 2>&1']) },
    version: output(options.headless, ['--version']), commit: output('git', ['-C', root, 'rev-parse', '--short', 'HEAD']),
    passed: rows.every((row) => row.pass !== false), rows, raw: bench.raw,
  };
  const file = resolve(positionals[0] ?? join(root, 'build/bench/result.json'));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(report, null, 1)}\n`);
  const reached = rows.filter((row) => row.pass).length;
  const failed = rows.filter((row) => row.pass === false).length;
  const place = `in ${report.seconds} s on ${report.machine.cores} cores`;
  console.log(`${reached} of ${rows.length} figures reached ${place}; all numbers in ${file}`);
  return failed ? 1 : 0;
}

let code = 1;
try {
  code = await main();
} catch (error) {
  console.error(`bench: ${error.stack ?? error}`);
} finally {
  await stopAll();
  rmSync(runDir, { recursive: true, force: true });
}
process.exit(code);
