// Starts the program under test and knows how to talk to it.
//
// OMNIROUTE_URL       a server that is already running, for every test that leaves it as it found it
// OMNIROUTE_HEADLESS  the program for tests that need a server of their own, because they leave a connection out of service
// OMNIROUTE_DIRECT    1 = the program is sandbox-server: the tests' own expectations are tried without the proxy
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';

export const direct = process.env.OMNIROUTE_DIRECT === '1';

// Model names as a client writes them: behind the proxy the sandbox is one provider among others.
export const model = (name) => (direct ? name : `sandbox/${name}`);

export function openai(url = process.env.OMNIROUTE_URL, options = {}) {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: 'client-key', maxRetries: 0, timeout: 20_000, ...options });
}

export function anthropic(url = process.env.OMNIROUTE_URL, options = {}) {
  return new Anthropic({ baseURL: url, apiKey: 'client-key', maxRetries: 0, timeout: 20_000, ...options });
}

const binary = () => {
  if (!process.env.OMNIROUTE_HEADLESS) throw new Error('OMNIROUTE_HEADLESS names no program');
  return process.env.OMNIROUTE_HEADLESS;
};

// Runs `use(url)` against a fresh server with a data folder of its own, and ends it by its process id.
export async function withServer(use) {
  const dataDir = await mkdtemp(join(tmpdir(), 'omniroute-clients-'));
  const args = direct ? [] : ['--data-dir', dataDir, '--port', '0', '--sandbox'];
  const child = spawn(binary(), args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let complaints = '';
  child.stderr.on('data', (text) => { complaints += text; });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    const ready = new Promise((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        let event = {};
        try { event = JSON.parse(line); } catch { /* not the line we wait for */ }
        if (event.event === 'ready') resolve(event);
      });
      ended.then((code) => reject(new Error(`${binary()} ended with ${code} before it was ready: ${complaints}`)));
      setTimeout(() => reject(new Error(`${binary()} was not ready in 15 s: ${complaints}`)), 15_000).unref();
    });
    return await use((await ready).url);
  } finally {
    child.kill('SIGTERM');
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  }
}

// The sandbox's own counters; asked through the server, so this works with the proxy before it too.
export async function sandboxStats(url = process.env.OMNIROUTE_URL) {
  const answer = await openai(url).chat.completions.create({ model: model('stats'), messages: [{ role: 'user', content: '?' }] });
  return JSON.parse(answer.choices[0].message.content);
}

export async function until(what, check, millis = 3000) {
  const end = Date.now() + millis;
  while (!(await check())) {
    if (Date.now() > end) throw new Error(`not within ${millis} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
