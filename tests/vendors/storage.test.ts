/** Storage: the published SDKs of AWS, Qiniu, Aliyun and Tencent compute the signatures and addresses that the adapters send. */
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import OSS from 'ali-oss';
import COS from 'cos-nodejs-sdk-v5';
import qiniu from 'qiniu';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { bucketAt } from '#server/adapters/storage/bucket.ts';
import { qiniuAuthorization, qiniuPrivateUrl, qiniuStorage, qiniuUploadToken } from '#server/adapters/storage/qiniu.ts';
import { amzDate, s3Headers, s3PostFields } from '#server/adapters/storage/s3-sign.ts';
import { s3Storage } from '#server/adapters/storage/s3.ts';
import { fakeQiniu } from '#tests/support/fakes/qiniu.ts';
import { fakeS3 } from '#tests/support/fakes/s3.ts';
import { startRecorder } from './recorder.ts';

const keys = { accessKeyId: 'AKTEST', secretAccessKey: 'SKTEST', region: 'us-east-1' };
const sdkOf = (endpoint: string) =>
  new S3Client({ region: keys.region, credentials: keys, endpoint, forcePathStyle: true, maxAttempts: 1 });

describe('S3', () => {
  const now = new Date('2026-11-29T08:00:00Z');
  test.each([
    ['GET', '/shop-img/u/1/a.jpg', ''],
    ['HEAD', '/shop-img/backup/base-1.tar', ''],
    ['DELETE', '/shop-img/u/1/a.jpg', ''],
    ['PUT', '/shop-img/u/1/a.jpg', '图片'],
    ['GET', '/shop-img?list-type=2&prefix=wal%2F&continuation-token=1%2F2%2B3%3D', ''],
    ['GET', '/shop-img?list-type=2&prefix=a~b%20c%2A%27()!', ''],
  ])('%s %s is signed like the SDK’s signer does', async (method, target, body) => {
    const url = new URL(`http://127.0.0.1:9000${target}`);
    const { authorization = '', ...headers } = s3Headers(keys, {
      method,
      url,
      headers: body === '' ? {} : { 'content-type': 'image/jpeg' },
      body,
      now,
    });
    const signer = await sdkOf(url.origin).config.signer({
      name: 'sigv4',
      signingName: 's3',
      signingRegion: keys.region,
      properties: {},
    } as never);
    const signed = await signer.sign(
      {
        method,
        protocol: url.protocol,
        hostname: url.hostname,
        port: Number(url.port),
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers: { ...headers, host: url.host },
        ...(body !== '' && { body }),
      } as never,
      { signingDate: now },
    );
    const plain = (text: string | undefined): string | undefined => text?.replaceAll(', ', ',');
    expect(plain(signed.headers.authorization)).toBe(plain(authorization));
    expect(headers['x-amz-date']).toBe(amzDate(now));
  });

  test('a form that a browser posts is accepted by the bucket, the adapter’s and the SDK’s', async () => {
    const bucket = 'shop-img';
    const s3 = await fakeS3({ ...keys, bucket });
    const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]);
    const post = async (url: string, fields: Readonly<Record<string, string>>, size = 1): Promise<number> => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      form.append('file', new Blob([Buffer.concat(Array.from({ length: size }, () => jpeg))]));
      return (await fetch(url, { method: 'POST', body: form })).status;
    };
    const theirs = await createPresignedPost(sdkOf(s3.url), {
      Bucket: bucket,
      Key: 'u/1/sdk.jpg',
      Conditions: [['content-length-range', 1, 100]],
      Fields: { 'Content-Type': 'image/jpeg' },
    });
    expect(await post(theirs.url, theirs.fields)).toBe(204);
    const ours = s3Storage({ ...keys, bucket, endpoint: s3.url, pathStyle: true }).ticket({
      key: 'u/1/own.jpg',
      maxBytes: 100,
      mimeTypes: ['image/jpeg'],
      expiresAt: new Date(Date.now() + 60_000),
      temporary: false,
    });
    expect(await post(ours.uploadUrl, ours.fields)).toBe(204);
    expect(await post(ours.uploadUrl, { ...ours.fields, key: 'u/2/other.jpg' })).toBe(403);
    expect(await post(ours.uploadUrl, ours.fields, 50)).toBe(400);
    expect(theirs.url.replace(/\/$/, '')).toBe(ours.uploadUrl);
    expect([...s3.objects.keys()].toSorted()).toEqual(['u/1/own.jpg', 'u/1/sdk.jpg']);
    await s3.close();
  });

  test('the policy of a form has the signature that the SDK computes', async () => {
    vi.useFakeTimers({ now, toFake: ['Date'] });
    const theirs = await createPresignedPost(sdkOf('http://127.0.0.1:9000'), {
      Bucket: 'shop-img',
      Key: 'u/1/a.jpg',
      Conditions: [['content-length-range', 1, 1000], { 'Content-Type': 'image/jpeg' }],
      Expires: 600,
    });
    const ours = s3PostFields(keys, {
      bucket: 'shop-img',
      key: 'u/1/a.jpg',
      maxBytes: 1000,
      mimeTypes: ['image/jpeg'],
      expiresAt: new Date(now.getTime() + 600_000),
      now,
    });
    expect(JSON.parse(Buffer.from(ours.Policy ?? '', 'base64').toString())).toEqual(
      JSON.parse(Buffer.from(theirs.fields.Policy ?? '', 'base64').toString()),
    );
    expect(ours['X-Amz-Signature']).toBe(theirs.fields['X-Amz-Signature']);
  });

  test('a listing with character references is read like the SDK reads it', async () => {
    const xml = `<?xml version="1.0"?><ListBucketResult><IsTruncated>false</IsTruncated>${[
      'a&#x27;b',
      'c&#39;d&amp;#39;',
      'e&lt;&gt;&quot;&apos;f',
      '&#x6E38;&#24066;',
    ]
      .map((key) => `<Contents><Key>${key}</Key></Contents>`)
      .join('')}</ListBucketResult>`;
    const bucket = await startRecorder((_, response) =>
      response.writeHead(200, { 'content-type': 'application/xml' }).end(xml),
    );
    const { Contents = [] } = await sdkOf(bucket.url).send(new ListObjectsV2Command({ Bucket: 'b' }));
    const ours = await bucketAt({ ...keys, bucket: 'b', endpoint: bucket.url, pathStyle: true }).list('');
    expect(new Set(ours)).toEqual(new Set(Contents.map(({ Key }) => Key)));
    expect(ours).toHaveLength(4);
    expect(ours).toContain("a'b");
    await bucket.close();
  });
});

describe('Qiniu', () => {
  const own = { accessKey: 'AK_TEST', secretKey: 'SK_TEST' };
  const mac = new qiniu.auth.digest.Mac(own.accessKey, own.secretKey);

  test('upload tokens, calls and private URLs are the SDK’s', () => {
    const policy = new qiniu.rs.PutPolicy({
      scope: 'shop-img:u/1/游.jpg',
      insertOnly: 1,
      fsizeLimit: 10,
      expires: 600,
    });
    const token = policy.uploadToken(mac);
    const text = Buffer.from(token.split(':')[2] ?? '', 'base64url').toString();
    expect(qiniuUploadToken(own, text)).toBe(token);
    const path = `/delete/${qiniu.util.encodedEntry('shop-img', 'u/1/a.jpg')}`;
    expect(qiniuAuthorization(own, path)).toBe(qiniu.util.generateAccessToken(mac, `http://rs.qiniuapi.com${path}`));
    const deadline = 1_800_000_000;
    const manager = new qiniu.rs.BucketManager(mac, new qiniu.conf.Config());
    expect(qiniuPrivateUrl(own, 'https://img.example/u/1/a.jpg', deadline)).toBe(
      manager.privateDownloadUrl('https://img.example', 'u/1/a.jpg', deadline),
    );
  });

  test('files uploaded by the SDK are read and removed by the adapter, at a host with its own certificate', async () => {
    const kodo = await fakeQiniu({ ...own, bucket: 'shop-img' }, true);
    const host = new URL(kodo.url).host;
    const config = new qiniu.conf.Config({
      useHttpsDomain: false,
      zone: new qiniu.conf.Zone([host], [host], host, host, host),
    });
    const token = new qiniu.rs.PutPolicy({ scope: 'shop-img:u/1/a.jpg' }).uploadToken(mac);
    await new qiniu.form_up.FormUploader(config).put(token, 'u/1/a.jpg', 'hello', new qiniu.form_up.PutExtra());
    const storage = qiniuStorage({
      ...own,
      bucket: 'shop-img',
      uploadUrl: kodo.url,
      manageUrl: kodo.url,
      domain: `${kodo.url}/o`,
      isPrivate: true,
    });
    expect((await storage.read('u/1/a.jpg'))?.bytes).toBe(5);
    await storage.remove('u/1/a.jpg');
    expect(await storage.read('u/1/a.jpg')).toBeUndefined();
    await kodo.close();
  });
});

/** Both are used through their S3 protocol, with the bucket in the host's name: their own SDKs name the same address of an object. */
describe('Aliyun OSS and Tencent COS by S3_PATH_STYLE=0', () => {
  const addressed = async (endpoint: string, bucket: string, key: string): Promise<string> => {
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (url: URL) => {
      asked.push(url.origin + url.pathname);
      return new Response(null, { status: 404 });
    });
    await s3Storage({ ...keys, bucket, endpoint, pathStyle: false }).read(key);
    return asked[0] ?? '';
  };
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  test.each(['u/10001/a.jpg', 'temp/10001/x-1_y.webp', 'goods/2026/11/QCR5ZM2E.png'])(
    'addresses %s as the vendors’ SDKs do',
    async (key) => {
      const oss = new OSS({
        region: 'oss-cn-hangzhou',
        accessKeyId: 'a',
        accessKeySecret: 'b',
        bucket: 'shop-img',
        secure: true,
      });
      expect(await addressed('https://oss-cn-hangzhou.aliyuncs.com', 'shop-img', key)).toBe(oss.generateObjectUrl(key));
      const cos = new COS({ SecretId: 'a', SecretKey: 'b', Protocol: 'https:' });
      const theirs = cos.getObjectUrl({ Bucket: 'shop-1250000000', Region: 'ap-guangzhou', Key: key, Sign: false });
      expect(await addressed('https://cos.ap-guangzhou.myqcloud.com', 'shop-1250000000', key)).toBe(theirs);
    },
  );
});
