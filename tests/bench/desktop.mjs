// The rows of the desktop program: memory, processor, and how soon its pages are there.
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { rounded } from './numbers.mjs';
import { cores, cpuSeconds, freePort, residentMb, sleep, start, stop, waitFor } from './processes.mjs';
import { Bench } from './rows.mjs';
import { Management, startHeadless } from './targets.mjs';

const PAGES = ['overview', 'connections', 'combos', 'cooldowns', 'lockouts', 'requests', 'usage', 'clients', 'api-keys', 'settings', 'help'];
const request = (model, more) => JSON.stringify({ model: `mock/${model}`, messages: [{ role: 'user', content: 'Hello' }], ...more });

export class DesktopBench {
  constructor({ options, programs, runDir, mock }) {
    Object.assign(this, { options, programs, runDir, mock });
  }

  async #folder(name) {
    const dataDir = join(this.runDir, name);
    const setup = await startHeadless(this.options.headless, dataDir);
    await setup.management.addMock('mock', this.mock.port);
    await stop(setup.child);
    return dataDir;
  }

  async #start(program, dataDir, { core = cores.proxy, more = [], stdin = 'ignore' } = {}) {
    const port = await freePort();
    const child = start(core, program, ['--data-dir', dataDir, '--port', String(port), ...more], {
      env: { ...process.env, QT_QPA_PLATFORM: process.env.OMNIROUTE_BENCH_PLATFORM ?? 'offscreen' }, stdio: [stdin, 'pipe', 'pipe'],
    });
    await waitFor('the desktop program serves', async () => (await fetch(`http://127.0.0.1:${port}/health`)).ok);
    const bench = new Bench({ programs: this.programs, ways: { proxy: port }, runDir: this.runDir, quick: this.options.quick });
    return { child, port, bench };
  }

  async memoryAfterLoad() {
    const what = 'memory, desktop with the window open, after load';
    if (!existsSync(this.options.desktop)) return notBuilt('memory-desktop', what, 'at most 130 MB');
    const { child, bench } = await this.#start(this.options.desktop, await this.#folder('desktop'));
    const seconds = this.options.quick ? '1' : '2.5';
    const loads = [
      await bench.load('proxy', 'desktop', ['--body', request('mock'), '-c', '64', '--seconds', seconds, '--warmup', '0']),
      await bench.load('proxy', 'desktop', ['--body', request('mock-c64-d5000', { stream: true }), '--stream', '-c', '200',
        '--seconds', seconds, '--warmup', '0']),
    ];
    const row = await bench.memoryAfterLoad(child, 'memory-desktop', 130, what);
    row.pass = row.pass && loads.every((load) => load.completed > 0);
    await stop(child);
    return row;
  }

  // A day's worth of window: ten requests a second while its charts are looked at, or while it is closed to the tray.
  async processor(id, what, more, limit) {
    if (!existsSync(this.options.desktop)) return notBuilt(id, `processor, ${what}`, `at most ${limit} %`);
    const { child, port } = await this.#start(this.options.desktop, await this.#folder(id), { more });
    let answered = 0;
    const ask = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`,
        { method: 'POST', headers: { 'content-type': 'application/json' }, body: request('mock') });
      await answer.text();
      if (answer.status === 200) ++answered;
    };
    const pace = setInterval(() => void ask().catch(() => {}), 100);
    await sleep(this.options.quick ? 2_000 : 5_000);
    const seconds = this.options.quick ? 5 : 20;
    const [from, answeredBefore] = [cpuSeconds(child), answered];
    await sleep(seconds * 1000);
    const [used, served] = [cpuSeconds(child) - from, answered - answeredBefore];
    clearInterval(pace);
    await stop(child);
    const share = (used / seconds) * 100;
    return { id, what: `processor, ${what}`, reach: `at most ${limit} %`, value: `${rounded(share, 1)} % of a core`,
      pass: share <= limit && served > seconds * 8, detail: { share, served, seconds } };
  }

  // Every page, opened for the first time, and again, in a program that has much to show, while clients go on asking.
  async pages({ dataDir, connections, logRows }) {
    const lockouts = connections * 10;
    const what = `any page, ${connections} connections, ${lockouts} lockouts, ${logRows} log rows`;
    if (!existsSync(this.options.pages)) return notBuilt('pages', what, 'at most 150 ms');
    const { child, port, bench, open } = await this.#startPages(dataDir);
    const management = new Management(`http://127.0.0.1:${port}`, readFileSync(join(dataDir, 'management.token'), 'utf8').trim());
    const held = await holdModels(port, management, lockouts);
    // An upstream that thinks for a while, as they do: the proxy is busy and not worn out.
    const thinks = 20_000;
    const steady = ['--body', request(`mock-f${thinks}`), '-c', '4', '--seconds', '6', '--warmup', '0.3'];
    const before = await bench.load('proxy', 'before pages', steady);
    const meanwhile = bench.load('proxy', 'while pages open', steady);
    await sleep(500);
    const first = await openAll(open);
    const memory = residentMb(child);
    const again = await openAll(open);
    const during = await meanwhile;
    await stop(child);
    const worst = (list, figure) => list.reduce((most, one) => ((one[figure] ?? 0) > (most[figure] ?? 0) ? one : most));
    const tell = (one, figure) => `${rounded(one[figure], 0)} ms (${one.page})`;
    const [paint, filled, second] = [worst(first, 'blockedMs'), worst(first, 'filledMs'), worst(again, 'blockedMs')];
    const sound = held >= lockouts && [...first, ...again].every((one) => !one.error && one.rows !== 0);
    const adds = (load, at) => load.total_us[at] - thinks;
    const good = (load) => load.completed > 0 && !Object.keys(load.errors).length;
    return [
      { id: 'pages', what, reach: 'at most 150 ms', pass: sound && paint.blockedMs <= 150 && filled.filledMs <= 150,
        value: `painted ${tell(paint, 'blockedMs')}, filled ${tell(filled, 'filledMs')}`, detail: { first, again, held, memory } },
      { id: 'pages-again', what: 'the same pages once more', reach: 'at most 150 ms', pass: sound && second.blockedMs <= 150,
        value: tell(second, 'blockedMs'), detail: {} },
      { id: 'pages-latency', what: 'latency of the proxy while pages open', reach: 'unchanged: p50 at most 1.5 x',
        pass: good(before) && good(during) && adds(during, 'p50') <= 1.5 * adds(before, 'p50'),
        value: `p50 ${adds(during, 'p50')} us after ${adds(before, 'p50')} us (p99 ${adds(during, 'p99')} after ${adds(before, 'p99')})`,
        detail: { before: before.total_us, during: during.total_us } },
    ];
  }

  async memoryOfPages() {
    const what = 'memory, all pages opened once';
    if (!existsSync(this.options.pages)) return notBuilt('memory-pages', what, 'at most 150 MB');
    const { child, open } = await this.#startPages(await this.#folder('memory-pages'));
    const opened = await openAll(open);
    const memory = residentMb(child);
    await stop(child);
    return { id: 'memory-pages', what, reach: 'at most 150 MB', value: `${rounded(memory, 1)} MB`,
      pass: memory <= 150 && opened.every((one) => !one.error), detail: {} };
  }

  async #startPages(dataDir) {
    // Not tied to a core: a window and a proxy have one each on any machine that shows windows.
    const started = await this.#start(this.options.pages, dataDir, { core: `${cores.load},${cores.proxy}`, stdin: 'pipe' });
    const { child } = started;
    const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const open = async (page) => {
      child.stdin.write(`${page}\n`);
      for (;;) {
        const { value, done } = await answers.next();
        if (done) throw new Error(`the program ended: ${child.log}`);
        if (value.startsWith('{') && value.includes('"page"')) return JSON.parse(value);
      }
    };
    return { ...started, open };
  }
}

async function openAll(open) {
  const opened = [];
  for (const page of PAGES) opened.push(await open(page));
  return opened;
}

// Ten models that no connection has, asked for until each connection is known not to have them.
async function holdModels(port, management, wanted) {
  let held = 0;
  for (let round = 0; round < 400 && held < wanted; ++round) {
    await Promise.all(Array.from({ length: 10 }, async (_, model) => {
      const answer = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`,
        { method: 'POST', headers: { 'content-type': 'application/json' }, body: request(`fail-404-k${model}`) });
      await answer.text();
    }));
    if (round % 10 === 9) held = (await management.call('GET', '/api/resilience/model-cooldowns')).total;
  }
  return held;
}

const notBuilt = (id, what, reach) => ({ id, what, reach, value: 'not built', pass: null, detail: {} });
