// The three ways to the mocks that are compared: direct, through nginx, through the proxy.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cores, firstLine, freePort, start, waitFor } from './processes.mjs';

const answers = async (url) => (await fetch(url)).status < 500;

export async function startMock(programs, core = cores.load) {
  const port = await freePort();
  const child = start(core, programs.mock, ['--port', String(port)]);
  await waitFor('the mock answers', () => answers(`http://127.0.0.1:${port}/stats`));
  return { child, port };
}

export async function startNginx(templateFile, runDir, mock, big) {
  mkdirSync(runDir, { recursive: true });
  const port = await freePort();
  const values = { RUN: runDir, MOCK: mock.port, BIG: big.port, PORT: port };
  const conf = readFileSync(templateFile, 'utf8').replace(/@(RUN|MOCK|BIG|PORT)@/g, (_, name) => values[name]);
  writeFileSync(join(runDir, 'nginx.conf'), conf);
  // The worker drops to an unprivileged user when started by root, who cannot write into our folder.
  const user = process.getuid() === 0 ? ['-g', 'user root;'] : [];
  const child = start(cores.proxy, process.env.NGINX ?? 'nginx', ['-c', join(runDir, 'nginx.conf'), '-p', runDir, ...user]);
  await waitFor('nginx answers', () => answers(`http://127.0.0.1:${port}/v1/models`));
  return { child, port };
}

// Management calls with the bearer token of a running program.
export class Management {
  constructor(url, token) {
    this.url = url;
    this.headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  }

  async call(method, path, body) {
    const answer = await fetch(this.url + path, { method, headers: this.headers, body: body && JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text ? JSON.parse(text) : undefined;
  }

  // A compatible endpoint at a mock, with as many connections as asked for.
  async addMock(prefix, port, connections = 1, path = '') {
    const { node } = await this.call('POST', '/api/provider-nodes', {
      type: 'openai-compatible', name: `Mock ${prefix}`, prefix, baseUrl: `http://127.0.0.1:${port}${path}/v1`,
    });
    const add = (i) => this.call('POST', '/api/providers', {
      provider: node.id, name: `${prefix} ${i}`, apiKey: `sk-mock-${prefix}-${i}`, priority: 1,
    });
    for (let i = 0; i < connections; i += 16) {
      await Promise.all(Array.from({ length: Math.min(16, connections - i) }, (_, k) => add(i + k)));
    }
  }
}

export async function startHeadless(program, dataDir) {
  const child = start(cores.proxy, program, ['--data-dir', dataDir, '--port', '0']);
  const ready = await firstLine(child, (line) => {
    try {
      const event = JSON.parse(line);
      return event.event === 'ready' && event;
    } catch { return undefined; }
  });
  const token = readFileSync(ready.managementTokenFile, 'utf8').trim();
  return { child, url: ready.url, port: Number(new URL(ready.url).port), management: new Management(ready.url, token) };
}
