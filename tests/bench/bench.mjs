// Measures the figures the project has set itself, the proxy beside nginx against the same mock in one run. Started by run.sh.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, release, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median, rounded } from './numbers.mjs';
import { cores, cpuSeconds, freePort, output, run, sleep, start, stop, stopAll, waitFor } from './processes.mjs';
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

async function desktopMemory(mock) {
  if (!existsSync(options.desktop)) {
    return { id: 'memory-desktop', what: 'memory, desktop after load', reach: 'at most 130 MB', value: 'not built', pass: null, detail: {} };
  }
  const dataDir = join(runDir, 'desktop');
  const setup = await startHeadless(options.headless, dataDir);
  await setup.management.addMock('mock', mock.port);
  await stop(setup.child);
  const port = await freePort();
  const child = start(cores.proxy, options.desktop, ['--data-dir', dataDir, '--port', String(port)], {
    env: { ...process.env, QT_QPA_PLATFORM: 'offscreen' },
  });
  await waitFor('the desktop program serves', async () => (await fetch(`http://127.0.0.1:${port}/health`)).ok);
  const bench = new Bench({ programs, ways: { proxy: port }, runDir, quick: options.quick });
  const model = (name, more) => JSON.stringify({ model: `mock/${name}`, messages: [{ role: 'user', content: 'Hello' }], ...more });
  const seconds = options.quick ? '1' : '2.5';
  const loads = [
    await bench.load('proxy', 'desktop', ['--body', model('mock'), '-c', '64', '--seconds', seconds, '--warmup', '0']),
    await bench.load('proxy', 'desktop', ['--body', model('mock-c64-d5000', { stream: true }), '--stream', '-c', '200',
      '--seconds', seconds, '--warmup', '0']),
  ];
  const row = await bench.memoryAfterLoad(child, 'memory-desktop', 130, 'memory, desktop with the window open, after load');
  row.pass = row.pass && loads.every((load) => load.completed > 0);
  await stop(child);
  return row;
}

// A day's worth of window: ten requests a second while its charts are looked at, or while it is closed to the tray.
async function desktopLoad(mock, id, what, more, limit) {
  if (!existsSync(options.desktop)) return { id, what, reach: `at most ${limit} %`, value: 'not built', pass: null, detail: {} };
  const dataDir = join(runDir, id);
  const setup = await startHeadless(options.headless, dataDir);
  await setup.management.addMock('mock', mock.port);
  await stop(setup.child);
  const port = await freePort();
  const child = start(cores.proxy, options.desktop, ['--data-dir', dataDir, '--port', String(port), ...more], {
    env: { ...process.env, QT_QPA_PLATFORM: process.env.OMNIROUTE_BENCH_PLATFORM ?? 'offscreen' },
  });
  await waitFor('the desktop program serves', async () => (await fetch(`http://127.0.0.1:${port}/health`)).ok);
  const body = JSON.stringify({ model: 'mock/mock', messages: [{ role: 'user', content: 'Hello' }] });
  let answered = 0;
  const ask = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`,
      { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    await answer.text();
    if (answer.status === 200) ++answered;
  };
  const pace = setInterval(() => void ask().catch(() => {}), 100);
  await sleep(options.quick ? 2_000 : 5_000);
  const seconds = options.quick ? 5 : 20;
  const [from, answeredBefore] = [cpuSeconds(child), answered];
  await sleep(seconds * 1000);
  const [used, served] = [cpuSeconds(child) - from, answered - answeredBefore];
  clearInterval(pace);
  await stop(child);
  const share = (used / seconds) * 100;
  return { id, what, reach: `at most ${limit} %`, value: `${rounded(share, 1)} % of a core`, pass: share <= limit && served > seconds * 8,
    detail: { share, served, seconds } };
}

async function startTime(mock) {
  const dataDir = join(runDir, 'large');
  const connections = options.quick ? 200 : 1000;
  const logRows = options.quick ? 100_000 : 1_000_000;
  const setup = await startHeadless(options.headless, dataDir);
  await setup.management.call('PATCH', '/api/settings', { log: { maxRows: 2_000_000, maxAgeDays: 3650 } });
  await setup.management.addMock('mock', mock.port, connections);
  await stop(setup.child);
  await run(cores.load, options.fill, [dataDir, String(logRows)]);
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
  await attempt('desktop', () => desktopMemory(mock));
  await attempt('desktop', () => desktopLoad(mock, 'cpu-desktop', 'processor, desktop with the window open, 10 requests a second', [], 4));
  await attempt('desktop', () => desktopLoad(mock, 'cpu-hidden', 'processor, desktop closed to the tray, 10 requests a second', ['--hidden'], 1));
  await attempt('start', () => startTime(mock));

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
