import { describe, expect, test } from 'vitest';
import { codes, type ErrorName } from '#contract/codes.ts';
import { ApiFailure } from './api-failure.ts';
import { keyHolder, sendMutation, type SendOptions } from './mutation.ts';

const failing = (name: ErrorName): ApiFailure => new ApiFailure(codes[name][0], codes[name][2], codes[name][1]);
const lost = (): ApiFailure => new ApiFailure(-1, '网络超时', 0);

const no = async (): Promise<boolean> => false;

/** Sends a body; each attempt uses the next of the results. Returns the outcome and the keys that were sent. */
function market(results: (ApiFailure | string)[], regain = no, prove = no, identify = no) {
  let keys = 0;
  const holder = keyHolder(() => `key-${++keys}`);
  const sent: string[] = [];
  const sendBody =
    (body: string) =>
    async ({ keys: sentKeys }: SendOptions): Promise<string> => {
      sent.push(sentKeys.keyFor(body));
      const result = results.shift();
      if (result === undefined) throw new Error('one attempt too many');
      if (result instanceof ApiFailure) throw result;
      return result;
    };
  const click = (body: string) =>
    sendMutation({
      send: sendBody(body),
      keys: holder,
      logInAgain: regain,
      askSecondFactor: prove,
      proveIdentity: identify,
    });
  return { sent, click };
}

describe('the idempotency key', () => {
  test('stays while the result of the call is unknown', async () => {
    const { click, sent } = market([lost(), failing('BUSY'), 'done']);
    expect(await click('a')).toMatchObject({ ok: false });
    expect(await click('a')).toMatchObject({ ok: false });
    expect(await click('a')).toEqual({ ok: true, data: 'done' });
    expect(sent).toEqual(['key-1', 'key-1', 'key-1']);
  });

  test('is new after any response', async () => {
    const { click, sent } = market(['done', failing('BAD_INPUT'), 'done again']);
    await click('a');
    await click('a');
    await click('a');
    expect(sent).toEqual(['key-1', 'key-2', 'key-3']);
  });

  test('is new for a different body, so that two intents never share one', async () => {
    const { click, sent } = market([lost(), 'done']);
    await click('a');
    await click('b');
    expect(sent).toEqual(['key-1', 'key-2']);
  });
});

describe('a decision that asks for the second factor', () => {
  test('is sent once more with the code, with a new key', async () => {
    let dialogs = 0;
    const prove = async () => ++dialogs > 0;
    const { click, sent } = market([failing('FACTOR_REQUIRED'), 'done'], async () => false, prove);
    expect(await click('a')).toEqual({ ok: true, data: 'done' });
    expect([dialogs, sent.length]).toEqual([1, 2]);
  });

  test('is not sent when the dialog is closed', async () => {
    const { click, sent } = market([failing('FACTOR_REQUIRED')]);
    expect(await click('a')).toMatchObject({ ok: false, failure: { msg: '没有完成身份验证，操作未提交' } });
    expect(sent).toHaveLength(1);
  });

  test('is asked for also after the session was restored', async () => {
    const yes = async () => true;
    const { click, sent } = market([failing('LOGIN_REQUIRED'), failing('FACTOR_REQUIRED'), 'done'], yes, yes);
    expect(await click('a')).toEqual({ ok: true, data: 'done' });
    expect(sent).toHaveLength(3);
  });
});

describe('a session that has ended', () => {
  test('is restored, and the same write is sent once more', async () => {
    let dialogs = 0;
    const regain = async () => ++dialogs > 0;
    const { click, sent } = market([failing('LOGIN_REQUIRED'), 'done'], regain);
    expect(await click('a')).toEqual({ ok: true, data: 'done' });
    expect([dialogs, sent.length]).toEqual([1, 2]);
  });

  test('is restored only once: a second error is shown', async () => {
    let dialogs = 0;
    const regain = async () => ++dialogs > 0;
    const { click } = market([failing('LOGIN_REQUIRED'), failing('LOGIN_REQUIRED')], regain);
    expect(await click('a')).toMatchObject({ ok: false, failure: { code: codes.LOGIN_REQUIRED[0] } });
    expect(dialogs).toBe(1);
  });

  test('is not restored when the dialog is closed, or after any other failure', async () => {
    const { click, sent } = market([failing('LOGIN_REQUIRED')]);
    expect(await click('a')).toMatchObject({ ok: false, failure: { code: codes.LOGIN_REQUIRED[0] } });
    expect(sent).toHaveLength(1);
    let dialogs = 0;
    const other = market([failing('FORBIDDEN')], async () => ++dialogs > 0);
    expect(await other.click('a')).toMatchObject({ ok: false });
    expect(dialogs).toBe(0);
  });
});

describe('without a real name', () => {
  const required = (): ApiFailure => failing('REAL_NAME_REQUIRED');

  test('the dialog asks once, and the same write follows', async () => {
    let dialogs = 0;
    const { click, sent } = market([required(), 'done'], no, no, async () => ++dialogs > 0);
    expect(await click('a')).toEqual({ ok: true, data: 'done' });
    expect([dialogs, sent.length]).toEqual([1, 2]);
  });

  test('a closed dialog leaves the server’s own message', async () => {
    const { click } = market([required()]);
    expect(await click('a')).toMatchObject({ ok: false, failure: { code: codes.REAL_NAME_REQUIRED[0] } });
  });

  test('a second refusal is shown and asks nothing more', async () => {
    const { click, sent } = market([required(), required()], no, no, async () => true);
    expect(await click('a')).toMatchObject({ ok: false });
    expect(sent.length).toBe(2);
  });
});

test('an unknown exception counts as no response', async () => {
  const holder = keyHolder(() => 'key');
  const outcome = await sendMutation({
    send: () => Promise.reject(new TypeError('fetch failed')),
    keys: holder,
    logInAgain: async () => false,
    askSecondFactor: async () => false,
    proveIdentity: async () => false,
  });
  expect(outcome).toMatchObject({ ok: false, failure: { status: 0 } });
});
