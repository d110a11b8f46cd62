/** The examples of the documentation, ready to be copied. `HOST` is replaced by the site's own address. */
export const SIGNING = {
  curl: `KEY='yk_您的密钥编号'
SECRET='您的签名密码'

# 用法：youshi 方法 路径 [请求体]
youshi() {
  TS=$(date +%s)
  NONCE=$(openssl rand -hex 16)
  HASH=$(printf '%s' "$3" | openssl dgst -sha256 -hex | sed 's/^.* //')
  SIGN=$(printf 'HMAC-SHA256\\n%s\\n%s\\n%s\\n%s\\n%s' "$1" "$2" "$TS" "$NONCE" "$HASH" \\
    | openssl dgst -sha256 -hmac "$SECRET" -hex | sed 's/^.* //')
  curl -sS -X "$1" "HOST$2" -H "x-api-key: $KEY" -H "x-api-timestamp: $TS" \\
    -H "x-api-nonce: $NONCE" -H "x-api-signature: $SIGN" \\
    \${3:+-H} \${3:+'content-type: application/json'} \${3:+--data-raw} \${3:+"$3"}
}

youshi GET '/api/open/goods/list?status=2'
youshi POST /api/open/goods/update '{"goodsSn":"SJ0000001","price":"128.00","stock":5}'`,
  node: `import { createHash, createHmac, randomBytes } from 'node:crypto';

const key = process.env.YOUSHI_KEY;
const secret = process.env.YOUSHI_SECRET;

export async function call(method, target, input) {
  const body = input === undefined ? '' : JSON.stringify(input);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = randomBytes(16).toString('hex');
  const hash = createHash('sha256').update(body).digest('hex');
  const text = ['HMAC-SHA256', method, target, timestamp, nonce, hash].join('\\n');
  const signature = createHmac('sha256', secret).update(text).digest('hex');
  const response = await fetch('HOST' + target, {
    method,
    headers: {
      'x-api-key': key,
      'x-api-timestamp': timestamp,
      'x-api-nonce': nonce,
      'x-api-signature': signature,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body }),
  });
  const { code, data, msg } = await response.json();
  if (code !== 0) throw new Error(code + ' ' + msg);
  return data;
}

await call('GET', '/api/open/goods/list?status=2');
await call('POST', '/api/open/goods/update', { goodsSn: 'SJ0000001', price: '128.00', stock: 5 });`,
  python: `import hashlib, hmac, json, os, secrets, time, urllib.request

KEY = os.environ['YOUSHI_KEY']
SECRET = os.environ['YOUSHI_SECRET']

def call(method, target, data=None):
    body = b'' if data is None else json.dumps(data, ensure_ascii=False).encode()
    ts = str(int(time.time()))
    nonce = secrets.token_hex(16)
    text = '\\n'.join(['HMAC-SHA256', method, target, ts, nonce, hashlib.sha256(body).hexdigest()])
    sign = hmac.new(SECRET.encode(), text.encode(), hashlib.sha256).hexdigest()
    request = urllib.request.Request('HOST' + target, data=body or None, method=method, headers={
        'x-api-key': KEY, 'x-api-timestamp': ts, 'x-api-nonce': nonce, 'x-api-signature': sign,
        'content-type': 'application/json',
    })
    answer = json.load(urllib.request.urlopen(request))
    if answer['code'] != 0:
        raise RuntimeError(answer['msg'])
    return answer['data']

call('GET', '/api/open/goods/list?status=2')
call('POST', '/api/open/goods/soldElsewhere', {'goodsSn': 'SJ0000001'})`,
} as const;

export const VERIFYING = {
  node: `import { createHmac, timingSafeEqual } from 'node:crypto';

// body 是收到的原始文本，先验签，再解析
export function isGenuine(headers, body, secret) {
  const id = headers['webhook-id'], ts = headers['webhook-timestamp'];
  if (Math.abs(Date.now() / 1000 - Number(ts)) > 300) return false;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const wanted = Buffer.from('v1,' + createHmac('sha256', key).update(id + '.' + ts + '.' + body).digest('base64'));
  const given = Buffer.from(headers['webhook-signature'] ?? '');
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}`,
  python: `import base64, hashlib, hmac, time

# body 是收到的原始字节，先验签，再解析
def is_genuine(headers, body, secret):
    id, ts = headers['webhook-id'], headers['webhook-timestamp']
    if abs(time.time() - int(ts)) > 300:
        return False
    key = base64.b64decode(secret[len('whsec_'):])
    text = f'{id}.{ts}.'.encode() + body
    wanted = 'v1,' + base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()
    return hmac.compare_digest(wanted, headers.get('webhook-signature', ''))`,
} as const;

const python = (value: unknown): string => {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return `'${value.replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([key, one]) => `'${key}': ${python(one)}`)
    .join(', ')}}`;
};

/** One call in the three languages, by the functions that `SIGNING` defines. */
export function callText(method: string, path: string, input: Readonly<Record<string, unknown>>) {
  const isRead = method === 'GET';
  const query = new URLSearchParams(Object.entries(isRead ? input : {}).map(([key, value]) => [key, String(value)]));
  const target = query.size > 0 ? `${path}?${query}` : path;
  const json = JSON.stringify(input);
  return {
    curl: isRead ? `youshi ${method} '${target}'` : `youshi ${method} '${target}' '${json}'`,
    node: isRead
      ? `await call('${method}', '${target}');`
      : `await call('${method}', '${target}', ${JSON.stringify(input, null, 2)});`,
    python: isRead ? `call('${method}', '${target}')` : `call('${method}', '${target}', ${python(input)})`,
  };
}
