import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import OpenAI from 'openai';
import { direct, model, openai, sandboxStats, until, withServer } from './server.js';

const client = openai();
const messages = [{ role: 'user', content: 'Hello' }];
const chat = (name, more = {}, options = {}) => client.chat.completions.create({ model: model(name), messages, ...more }, options);

async function textOf(name) {
  return (await chat(name)).choices[0].message.content;
}

async function streamedText(name, more = {}) {
  let text = '';
  for await (const chunk of await chat(name, { stream: true, ...more })) text += chunk.choices[0]?.delta?.content ?? '';
  return text;
}

describe('chat completions', () => {
  test('non-stream', async () => {
    const answer = await chat('ok');
    assert.equal(answer.object, 'chat.completion');
    assert.equal(answer.choices[0].finish_reason, 'stop');
    assert.match(answer.choices[0].message.content, /sandbox/);
    assert.equal(answer.usage.total_tokens, answer.usage.prompt_tokens + answer.usage.completion_tokens);
  });

  test('stream says the same, in pieces', async () => {
    const pieces = [];
    let finish;
    for await (const chunk of await chat('ok', { stream: true })) {
      if (chunk.choices[0].delta.content) pieces.push(chunk.choices[0].delta.content);
      finish = chunk.choices[0].finish_reason ?? finish;
    }
    assert.ok(pieces.length > 10);
    assert.equal(pieces.join(''), await textOf('ok'));
    assert.equal(finish, 'stop');
  });

  test('usage comes last with include_usage', async () => {
    let last;
    for await (const chunk of await chat('ok', { stream: true, stream_options: { include_usage: true } })) last = chunk;
    assert.equal(last.choices.length, 0);
    assert.ok(last.usage.completion_tokens > 10);
  });

  test('unknown fields and unicode reach the upstream as they were sent', async () => {
    const said = 'চা ☕ "quoted" \\ \u0001 \u2028 end';
    const answer = await client.chat.completions.create({
      model: model('echo'), messages: [{ role: 'user', content: said }], vendor_extension: { deep: [1, null, { x: '\u00e9' }] },
    });
    assert.equal(answer.choices[0].message.content, said);
  });

  test('tool call', async () => {
    const tools = [{
      type: 'function',
      function: {
        name: 'add',
        parameters: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
      },
    }];
    const answer = await chat('tool-call', { tools });
    assert.equal(answer.choices[0].finish_reason, 'tool_calls');
    assert.deepEqual(JSON.parse(answer.choices[0].message.tool_calls[0].function.arguments), { a: 1, b: 1 });

    const runner = client.chat.completions.stream({ model: model('tool-call'), messages, tools });
    const final = await runner.finalChatCompletion();
    assert.equal(final.choices[0].message.tool_calls[0].function.name, 'add');
    assert.deepEqual(JSON.parse(final.choices[0].message.tool_calls[0].function.arguments), { a: 1, b: 1 });

    const closing = await client.chat.completions.create({
      model: model('tool-call'), tools,
      messages: [...messages, final.choices[0].message,
        { role: 'tool', tool_call_id: final.choices[0].message.tool_calls[0].id, content: '2' }],
    });
    assert.equal(closing.choices[0].finish_reason, 'stop');
  });

  test('headers of the answer can be read', async () => {
    const { response } = await chat('ok').withResponse();
    assert.equal(response.headers.get('content-type'), 'application/json');
    if (!direct) {
      assert.match(response.headers.get('x-omniroute-request-id'), /^[0-9a-f]{16}$/);
      assert.ok(response.headers.get('x-omniroute-selected-connection-id'));
    }
  });

  test('a large prompt and a large answer', async () => {
    const answer = await client.chat.completions.create({
      model: model('huge?bytes=2000000'), messages: [{ role: 'user', content: 'x'.repeat(5_000_000) }],
    });
    assert.ok(answer.choices[0].message.content.length >= 2_000_000);
  });
});

describe('framing of streams', () => {
  for (const name of ['crlf', 'mixed-line-ends', 'no-space', 'close-delimited', 'trailers', 'gzip', 'usage-only-chunks',
    'usage-every-chunk', 'no-done', 'many-chunks?chunks=500']) {
    test(name, async () => assert.equal(await streamedText(name), await textOf(name.startsWith('many') ? name : 'ok')));
  }
  for (const name of ['split-utf8', 'byte-by-byte']) {
    test(name, async () => {
      const text = await streamedText(name);
      assert.match(text, /日本語.*🚀/u);
      assert.ok(!text.includes('\uFFFD'));
      assert.equal(text, await textOf(name));
    });
  }
});

describe('other operations', () => {
  test('completions', async () => {
    const answer = await client.completions.create({ model: model('ok'), prompt: 'Hello' });
    assert.match(answer.choices[0].text, /sandbox/);
    let text = '';
    const stream = await client.completions.create({ model: model('ok'), prompt: 'Hello', stream: true });
    for await (const chunk of stream) text += chunk.choices[0].text;
    assert.equal(text, answer.choices[0].text);
  });

  test('embeddings, packed and as numbers', async () => {
    const input = ['one', 'two', 'three'];
    const packed = await client.embeddings.create({ model: model('ok'), input, dimensions: 16 });
    const plain = await client.embeddings.create({ model: model('ok'), input, dimensions: 16, encoding_format: 'float' });
    assert.equal(packed.data.length, 3);
    assert.equal(packed.data[2].embedding.length, 16);
    packed.data[2].embedding.forEach((value, i) => assert.ok(Math.abs(value - plain.data[2].embedding[i]) < 1e-6));
  });

  test('responses', async () => {
    const answer = await client.responses.create({ model: model('ok'), input: 'Hello' });
    assert.equal(answer.status, 'completed');
    assert.match(answer.output_text, /sandbox/);
    assert.ok(answer.usage.output_tokens > 0);

    let text = '';
    let completed;
    let sequence = -1;
    for await (const event of await client.responses.create({ model: model('ok'), input: 'Hello', stream: true })) {
      assert.ok(event.sequence_number > sequence);
      sequence = event.sequence_number;
      if (event.type === 'response.output_text.delta') text += event.delta;
      if (event.type === 'response.completed') completed = event.response;
    }
    assert.equal(text, answer.output_text);
    assert.equal(completed.output[0].content[0].text, text);
  });

  test('responses with a tool and with reasoning', async () => {
    const parameters = { type: 'object', properties: {}, additionalProperties: false };
    const tools = [{ type: 'function', name: 'add', parameters, strict: true }];
    const final = await client.responses.stream({ model: model('tool-call'), input: 'Add', tools }).finalResponse();
    assert.equal(final.output[0].type, 'function_call');
    assert.deepEqual(JSON.parse(final.output[0].arguments), {});
    const thought = await client.responses.create({ model: model('reasoning'), input: 'Think' });
    assert.equal(thought.output[0].type, 'reasoning');
    assert.ok(thought.output_text);
  });

  test('models.list', async () => {
    const ids = [];
    for await (const entry of client.models.list()) ids.push(entry.id);
    assert.ok(ids.includes(model('ok')), `no ${model('ok')} among ${ids.length} models`);
  });
});

describe('a stream that breaks is no clean end', () => {
  for (const name of ['error-mid-stream', 'close-mid-stream', 'reset-mid-stream', 'malformed-chunk']) {
    test(`chat, ${name}`, async () => withServer(async (url) => {
      let text = '';
      await assert.rejects(async () => {
        const stream = await openai(url).chat.completions.create({ model: model(name), messages, stream: true });
        for await (const chunk of stream) text += chunk.choices[0]?.delta?.content ?? '';
      });
      assert.ok(text.startsWith('This answer'), `said before the break: "${text}"`);
    }));

    test(`responses, ${name}`, async () => withServer(async (url) => {
      const types = [];
      try {
        const stream = await openai(url).responses.create({ model: model(name), input: 'Hello', stream: true });
        for await (const event of stream) types.push(event.type);
        assert.ok(types.includes('error') || types.includes('response.failed'), types.join(' '));
      } catch (error) {
        if (error.code === 'ERR_ASSERTION') throw error;
      }
      assert.ok(types.includes('response.output_text.delta'));
      assert.ok(!types.includes('response.completed'));
    }));
  }
});

describe('errors become the SDK\'s own', () => {
  const cases = [
    ['400', OpenAI.BadRequestError, 400],
    ['401', OpenAI.AuthenticationError, 401],
    ['403', OpenAI.PermissionDeniedError, 403],
    ['404-model', OpenAI.NotFoundError, 404],
    ['no-such-behaviour', OpenAI.NotFoundError, 404],
    ['rate-limited', OpenAI.RateLimitError, 429],
    ['500', OpenAI.InternalServerError, 500],
    ['503', OpenAI.InternalServerError, 503],
  ];
  for (const [name, kind, status] of cases) {
    for (const stream of [false, true]) {
      test(`${name}${stream ? ', stream' : ''}`, async () => withServer(async (url) => {
        await assert.rejects(openai(url).chat.completions.create({ model: model(name), messages, stream }), (error) => {
          assert.ok(error instanceof kind, `${error.constructor.name} ${error.status}: ${error.message}`);
          assert.equal(error.status, status);
          assert.ok(error.message.length > 5);
          return true;
        });
      }));
    }
  }

  test('Retry-After reaches the client', async () => withServer(async (url) => {
    await assert.rejects(openai(url).chat.completions.create({ model: model('rate-limited?seconds=7'), messages }), (error) => {
      const wait = Number(error.headers.get('retry-after'));
      assert.ok(wait >= 6 && wait <= 9, `retry-after: ${error.headers.get('retry-after')}`);
      return true;
    });
  }));

  test('an error inside a 200 is an error', async () => withServer(async (url) => {
    const stream = async () => {
      for await (const chunk of await openai(url).chat.completions.create({ model: model('error-in-200'), messages, stream: true })) {
        assert.ok(!chunk.choices?.[0]?.delta?.content);
      }
    };
    await assert.rejects(stream);
  }));

  test('the SDK\'s own retry gets an answer', async () => withServer(async (url) => {
    const answer = await openai(url, { maxRetries: 3 }).chat.completions.create({ model: model('fail-first?n=1&status=503'), messages });
    assert.match(answer.choices[0].message.content, /sandbox/);
  }));

  test('an unknown provider is told', { skip: direct }, async () => {
    await assert.rejects(client.chat.completions.create({ model: 'no-such-provider/model', messages }), OpenAI.NotFoundError);
  });
});

describe('the client leaves', () => {
  for (const [name, operation] of [
    ['in the middle of a stream', 'slow-stream?ms=20&chunks=100000'],
    ['before the first token', 'slow-first-token?ms=60000'],
    ['before the headers', 'silent'],
  ]) {
    test(name, async () => withServer(async (url) => {
      const before = (await sandboxStats(url)).abortedByClient;
      const abort = new AbortController();
      const reading = (async () => {
        let chunks = 0;
        const request = { model: model(operation), messages, stream: true };
        const stream = await openai(url).chat.completions.create(request, { signal: abort.signal });
        for await (const chunk of stream) if (chunk && ++chunks === 4) abort.abort();
        return chunks;
      })();
      if (!operation.startsWith('slow-stream')) setTimeout(() => abort.abort(), 300);
      await reading.catch((error) => assert.ok(abort.signal.aborted, String(error)));
      await until('the sandbox sees the client leave', async () => (await sandboxStats(url)).abortedByClient === before + 1);
    }));
  }
});
