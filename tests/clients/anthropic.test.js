import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { anthropic, direct, model, sandboxStats, until, withServer } from './server.js';

const client = anthropic();
const base = { max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] };
const create = (name, more = {}) => client.messages.create({ model: model(name), ...base, ...more });

async function textOf(name) {
  return (await create(name)).content.map((block) => block.text ?? '').join('');
}

async function streamedText(name, from = client) {
  const message = await from.messages.stream({ model: model(name), ...base }).finalMessage();
  return message.content.map((block) => block.text ?? '').join('');
}

describe('messages', () => {
  test('non-stream', async () => {
    const message = await create('ok');
    assert.equal(message.type, 'message');
    assert.equal(message.stop_reason, 'end_turn');
    assert.match(message.content[0].text, /sandbox/);
    assert.ok(message.usage.input_tokens > 0 && message.usage.output_tokens > 0);
  });

  test('stream, event by event', async () => {
    const types = [];
    let text = '';
    for await (const event of await create('ok', { stream: true })) {
      types.push(event.type);
      if (event.type === 'content_block_delta') text += event.delta.text;
    }
    assert.equal(types[0], 'message_start');
    assert.equal(types.at(-1), 'message_stop');
    assert.ok(types.includes('message_delta'));
    assert.equal(text, await textOf('ok'));
  });

  test('echo of unicode in content blocks', async () => {
    const said = 'নমস্কার 🚀 \\"\n end';
    const message = await client.messages.create({
      model: model('echo'), max_tokens: 100, system: 'be exact', messages: [{ role: 'user', content: [{ type: 'text', text: said }] }],
    });
    assert.equal(message.content[0].text, said);
  });

  test('tool use', async () => {
    const tools = [{ name: 'add', input_schema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] } }];
    const message = await client.messages.stream({ model: model('tool-call'), ...base, tools }).finalMessage();
    assert.equal(message.stop_reason, 'tool_use');
    assert.deepEqual(message.content[0].input, { a: 1 });
    const closing = await client.messages.create({
      model: model('tool-call'), max_tokens: 100, tools,
      messages: [...base.messages, { role: 'assistant', content: message.content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: message.content[0].id, content: '1' }] }],
    });
    assert.equal(closing.stop_reason, 'end_turn');
  });

  test('thinking keeps its signature', async () => {
    const message = await client.messages.stream({ model: model('reasoning'), ...base }).finalMessage();
    assert.equal(message.content[0].type, 'thinking');
    assert.ok(message.content[0].signature);
    assert.equal(message.content[1].type, 'text');
  });

  test('count_tokens', async () => {
    const { input_tokens: tokens } = await client.messages.countTokens({ model: model('ok'), messages: base.messages });
    assert.ok(tokens > 5);
  });

  for (const name of ['crlf', 'mixed-line-ends', 'no-space', 'close-delimited', 'gzip', 'trailers', 'usage-every-chunk']) {
    test(`framing: ${name}`, async () => assert.equal(await streamedText(name), await textOf('ok')));
  }
  for (const name of ['split-utf8', 'byte-by-byte']) {
    test(`framing: ${name}`, async () => {
      const text = await streamedText(name);
      assert.match(text, /日本語.*🚀/u);
      assert.ok(!text.includes('\uFFFD'));
      assert.equal(text, await textOf(name));
    });
  }
});

describe('a stream that breaks is no clean end', () => {
  for (const name of ['error-mid-stream', 'close-mid-stream', 'reset-mid-stream', 'malformed-chunk']) {
    test(name, async () => withServer(async (url) => {
      let text = '';
      await assert.rejects(async () => {
        for await (const event of await anthropic(url).messages.create({ model: model(name), ...base, stream: true })) {
          if (event.type === 'content_block_delta') text += event.delta.text;
        }
      });
      assert.ok(text.startsWith('This answer'), `said before the break: "${text}"`);
    }));
  }
});

describe('errors become the SDK\'s own', () => {
  const cases = [
    ['400', Anthropic.BadRequestError, 'invalid_request_error'],
    ['401', Anthropic.AuthenticationError, 'authentication_error'],
    ['403', Anthropic.PermissionDeniedError, 'permission_error'],
    ['404-model', Anthropic.NotFoundError, 'not_found_error'],
    ['rate-limited', Anthropic.RateLimitError, 'rate_limit_error'],
    ['500', Anthropic.InternalServerError, 'api_error'],
    ['529', Anthropic.InternalServerError, 'overloaded_error'],
  ];
  for (const [name, kind, type] of cases) {
    for (const stream of [false, true]) {
      test(`${name}${stream ? ', stream' : ''}`, async () => withServer(async (url) => {
        await assert.rejects(anthropic(url).messages.create({ model: model(name), ...base, stream }), (error) => {
          assert.ok(error instanceof kind, `${error.constructor.name} ${error.status}: ${error.message}`);
          assert.equal(error.error.type, 'error');
          assert.equal(error.error.error.type, type);
          return true;
        });
      }));
    }
  }

  test('overloaded inside a 200 is an error', async () => withServer(async (url) => {
    await assert.rejects(streamedText('error-in-200', anthropic(url)));
  }));

  test('an unknown provider is told in the dialect', { skip: direct }, async () => {
    await assert.rejects(client.messages.create({ model: 'no-such-provider/model', ...base }), (error) => {
      assert.ok(error instanceof Anthropic.NotFoundError, `${error.constructor.name}: ${error.message}`);
      assert.equal(error.error.error.type, 'not_found_error');
      return true;
    });
  });
});

test('a client that leaves stops the upstream', async () => withServer(async (url) => {
  const before = (await sandboxStats(url)).abortedByClient;
  let events = 0;
  const stream = await anthropic(url).messages.create({ model: model('slow-stream?ms=20&chunks=100000'), ...base, stream: true });
  for await (const event of stream) if (event && ++events === 6) break;
  await until('the sandbox sees the client leave', async () => (await sandboxStats(url)).abortedByClient === before + 1);
}));
