// One function for each row of the figures. Each gives { id, what, reach, value, pass, detail }.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { added, median, rounded } from './numbers.mjs';
import { cores, residentMb, run, sleep, start, stop } from './processes.mjs';

const MESSAGE = 'You are asked for nothing in particular; answer as briefly as you can, and mind that this text only fills the request.';
const body = (model, more = {}) => JSON.stringify({ model, messages: [{ role: 'user', content: MESSAGE }], temperature: 0.7, ...more });

// Ten megabytes as a long conversation is: many messages, code in them, escapes everywhere.
export function tenMegabytes(model) {
  const line = '    if (name == "value") { return path + "\\\\" + name; } // \u00e4 \u09ac\n';
  const messages = [];
  for (let i = 0; i < 200; ++i) messages.push({ role: i % 2 ? 'assistant' : 'user', content: line.repeat(700) });
  return JSON.stringify({ model, messages });
}

export class Bench {
  constructor({ programs, ways, runDir, quick }) {
    Object.assign(this, { programs, ways, runDir, quick, raw: [] });
  }

  async load(way, label, args, path = '/v1/chat/completions') {
    const url = `http://127.0.0.1:${this.ways[way]}${path}`;
    const text = await run(cores.load, this.programs.loadgen, ['--url', url, '--label', `${label} ${way}`, ...args]);
    const result = JSON.parse(text);
    this.raw.push(result);
    return result;
  }

  // Direct, nginx and proxy in turn, so that a disturbance hits all alike.
  async rounds(count, label, args, direct = 'direct') {
    const rounds = [];
    for (let i = 0; i < count; ++i) {
      const round = {};
      for (const way of ['direct', 'nginx', 'proxy']) round[way] = await this.load(way === 'direct' ? direct : way, label, args);
      rounds.push(round);
    }
    return rounds;
  }

  async latency() {
    const rounds = await this.rounds(this.quick ? 3 : 7, 'latency', [
      '--body', body('mock/mock'), '-c', '1', '--seconds', this.quick ? '0.6' : '1', '--warmup', '0.3']);
    const figure = added(rounds, (result) => result.total_us.p50);
    return {
      id: 'latency', what: 'added latency, non-stream, one client (p50)', reach: 'at most 2.0 x what nginx adds',
      value: `${rounded(figure.ratio)} x (${rounded(figure.proxyAdds, 0)} us against ${rounded(figure.nginxAdds, 0)} us)`,
      pass: verdict(figure, 2.0, clean(rounds)), detail: figure,
    };
  }

  async throughput() {
    const rounds = await this.rounds(this.quick ? 3 : 5, 'throughput', [
      '--body', body('mock/mock'), '-c', '64', '--seconds', this.quick ? '0.8' : '1.2', '--warmup', '0.3']);
    const ratio = median(rounds.map((round) => round.proxy.per_second / round.nginx.per_second));
    const of = (way) => median(rounds.map((round) => round[way].per_second));
    return {
      id: 'throughput', what: 'requests a second, 64 clients, one core', reach: 'at least 0.5 x nginx',
      value: `${rounded(ratio)} x (${rounded(of('proxy'), 0)}/s against ${rounded(of('nginx'), 0)}/s)`,
      pass: ratio >= 0.5 && clean(rounds), detail: { ratio, direct: of('direct'), nginx: of('nginx'), proxy: of('proxy') },
    };
  }

  // Paced, and begun at different moments, so that the streams do not run in step and no queue of our own making is measured.
  async streams() {
    const chunks = 64;
    const pace = 20_000;
    const seconds = (chunks * pace) / 1e6;
    const rounds = await this.rounds(this.quick ? 2 : 4, 'streams', [
      '--body', body(`mock/mock-c${chunks}-d${pace}-stamp`, { stream: true }), '--stream', '--frame-delay', '-c', '200',
      '--ramp', String(seconds), '--warmup', String(seconds * 1.5), '--seconds', this.quick ? '2' : '3']);
    // The first frame with content: what comes before it is a preamble, which the proxy holds back on purpose as long as it may still have
    // to move on to another upstream.
    const p50 = added(rounds, (result) => result.first_content_us.p50);
    const p99 = added(rounds, (result) => result.first_content_us.p99);
    const delay = added(rounds, (result) => result.frame_delay_us.p99);
    const isWhole = (result) => result.events_per_stream === chunks + 4 && result.unclosed === 0;
    const whole = rounds.every((round) => Object.values(round).every(isWhole));
    const rows = [
      {
        id: 'first-frame-p50', what: '200 streams: added time to the first frame, p50', reach: 'at most 1.5 x nginx',
        value: `${rounded(p50.ratio)} x (${rounded(p50.proxyAdds, 0)} us against ${rounded(p50.nginxAdds, 0)} us)`,
        pass: verdict(p50, 1.5, whole), detail: p50,
      },
      {
        id: 'first-frame-p99', what: '200 streams: added time to the first frame, p99', reach: 'at most 3 x nginx',
        value: `${rounded(p99.ratio)} x (${rounded(p99.proxyAdds, 0)} us against ${rounded(p99.nginxAdds, 0)} us)`,
        pass: verdict(p99, 3, whole), detail: p99,
      },
      {
        // The pace is 20 ms; batching would show as a frame kept back for a good part of that.
        id: 'frame-delay', what: '200 streams: delay of any frame added on its way, p99', reach: 'no frame delayed by batching: under 5 ms',
        value: `${rounded(delay.proxyAdds, 0)} us (nginx ${rounded(delay.nginxAdds, 0)} us), ${whole ? 'all frames there' : 'FRAMES MISSING'}`,
        pass: whole && delay.proxyAdds < 5000, detail: delay,
      },
    ];
    return rows;
  }

  async openStreams(proxy) {
    const seconds = this.quick ? 3 : 5;
    const before = residentMb(proxy);
    let peak = before;
    const timer = setInterval(() => { peak = Math.max(peak, residentMb(proxy)); }, 100);
    const result = await this.load('proxy', 'open streams', [
      '--body', body(`mock/mock-c${seconds * 5}-d200000`, { stream: true }), '--stream', '-c', '1000', '--max-requests', '1000',
      '--ramp', '1', '--warmup', '0', '--seconds', String(seconds + 8)]);
    clearInterval(timer);
    const served = result.completed === 1000 && result.unclosed === 0 && result.events_per_stream === seconds * 5 + 4
      && !Object.keys(result.errors).length;
    return {
      id: 'open-streams', what: '1,000 open slow streams', reach: 'all served, resident memory under 80 MB',
      value: `${result.completed} served, ${rounded(peak, 1)} MB`, pass: served && peak < 80, detail: { before, peak, errors: result.errors },
    };
  }

  // A transfer this long keeps sender and receiver busy together. Through anything, each transfer runs from one core to the other; so the
  // direct one does here too, to a mock on the other core, or it would be the only one that shares a core and seem slower than it is.
  async bigPrompt() {
    const file = join(this.runDir, 'big.json');
    writeFileSync(file, tenMegabytes('mock/mock'));
    const rounds = await this.rounds(this.quick ? 2 : 4, 'big prompt', [
      '--body-file', file, '-c', '1', '--seconds', this.quick ? '0.8' : '1.2', '--warmup', '0.2'], 'directApart');
    const figure = added(rounds, (result) => result.total_us.p50);
    return {
      id: 'big-prompt', what: 'a 10 MB prompt passed on', reach: 'added time under 3 x nginx',
      value: `${rounded(figure.ratio)} x (${rounded(figure.proxyAdds / 1000, 1)} ms against ${rounded(figure.nginxAdds / 1000, 1)} ms)`,
      pass: verdict(figure, 3, clean(rounds)), detail: figure,
    };
  }

  // Streams from one mock while another mock is sent 10 MB prompts. Frames carry their time of sending, so a mock that is late itself
  // does not count; the senders of the prompts yield the core to the watcher. What disturbs a round only adds to it, so the best round
  // tells.
  async pause() {
    const file = join(this.runDir, 'big-other.json');
    writeFileSync(file, tenMegabytes('big/mock'));
    const paths = { direct: this.ways.bigDirect, nginx: this.ways.nginx, proxy: this.ways.proxy };
    const longest = { direct: [], nginx: [], proxy: [] };
    for (let i = 0; i < (this.quick ? 2 : 3); ++i) {
      for (const way of ['direct', 'nginx', 'proxy']) {
        const url = `http://127.0.0.1:${paths[way]}${way === 'nginx' ? '/big' : ''}/v1/chat/completions`;
        const disturb = start(cores.load, 'nice', ['-n', '19', this.programs.loadgen, '--url', url, '--body-file', file, '-c', '1',
          '--seconds', '60', '--warmup', '0']);
        await sleep(200);
        const result = await this.load(way, 'pause', ['--body', body('mock/mock-c4000-d1000-stamp', { stream: true }), '--stream',
          '--frame-delay', '-c', '2', '--warmup', '0.2', '--seconds', this.quick ? '1' : '1.5']);
        await stop(disturb);
        longest[way].push(result.frame_delay_us.max / 1000);
      }
    }
    const best = Object.fromEntries(Object.entries(longest).map(([way, values]) => [way, Math.min(...values)]));
    const pause = best.proxy - best.direct;
    return {
      id: 'pause', what: 'longest pause of another stream meanwhile', reach: 'at most 5 ms',
      value: `${rounded(pause, 1)} ms (nginx ${rounded(best.nginx - best.direct, 1)} ms)`, pass: pause <= 5, detail: longest,
    };
  }

  async memoryAfterLoad(proxy, id, limit, what) {
    await sleep(4000);  // the program gives back what the load took once it has been quiet for two seconds
    const memory = residentMb(proxy);
    return { id, what, reach: `at most ${limit} MB`, value: `${rounded(memory, 1)} MB`, pass: memory <= limit, detail: { memory } };
  }
}

// Undecided when noise hid what nginx adds in every round.
function verdict(figure, limit, sound) {
  if (!sound) return false;
  return Number.isFinite(figure.ratio) ? figure.ratio <= limit : null;
}

// Every answer was a good one.
const isGood = (result) => result.completed > 0 && !Object.keys(result.errors).length;
const clean = (rounds) => rounds.every((round) => Object.values(round).every(isGood));
