// Starting, pinning, watching and ending of the bench's processes. Whatever was started is ended by its process id, also when the
// bench fails.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

const running = new Set();

// One core for what is measured, another for the load and the mocks. On a single core they share it and ratios mean little.
export const cores = { load: 0, proxy: cpus().length > 1 ? 1 : 0 };

export const sleep = (millis) => new Promise((resolve) => setTimeout(resolve, millis));

// Ahead of other work on the machine where that is allowed; where it is not, `nice` says so and runs the program all the same.
const ahead = process.getuid() === 0 ? ['nice', '-n', '-10'] : [];

export function start(core, program, args, options = {}) {
  const child = spawn('taskset', ['-c', String(core), ...ahead, program, ...args], { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  child.program = program;
  child.log = '';
  child.stderr.on('data', (text) => { child.log = (child.log + text).slice(-20_000); });
  child.ended = new Promise((resolve) => child.once('exit', (code, signal) => { running.delete(child); resolve(code ?? signal); }));
  running.add(child);
  return child;
}

export async function stop(child) {
  if (!running.has(child)) return;
  child.kill('SIGTERM');
  if (await Promise.race([child.ended.then(() => true), sleep(12_000)]) === undefined) child.kill('SIGKILL');
  await child.ended;
}

export const stopAll = () => Promise.all([...running].map(stop));

process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

// The first line of output that `pick` makes something of.
export function firstLine(child, pick, millis = 20_000) {
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = pick(line);
      if (found) resolve(found);
    });
    child.ended.then((how) => reject(new Error(`${child.program} ended (${how}): ${child.log}`)));
    setTimeout(() => reject(new Error(`${child.program} was not ready in ${millis} ms: ${child.log}`)), millis).unref();
  });
}

// Runs to its end and gives its output.
export async function run(core, program, args, options = {}) {
  const child = start(core, program, args, options);
  let out = '';
  child.stdout.on('data', (text) => { out += text; });
  const how = await child.ended;
  if (how !== 0) throw new Error(`${program} ${args.join(' ')} ended (${how}): ${child.log}`);
  return out;
}

export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

export async function waitFor(what, check, millis = 15_000) {
  const end = Date.now() + millis;
  for (;;) {
    if (await check().catch(() => false)) return;
    if (Date.now() > end) throw new Error(`not within ${millis} ms: ${what}`);
    await sleep(20);
  }
}

// Resident memory in MB.
export function residentMb(child) {
  const found = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
  return found ? Number(found[1]) / 1024 : 0;
}

/// Seconds of a core that it has used so far, all threads.
export function cpuSeconds(child) {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

export const output = (program, args) => spawnSync(program, args, { encoding: 'utf8' }).stdout?.trim() ?? '';
