/** Signatures compared with published and independently created examples. */
import { expect, test } from 'vitest';
import { qiniuAuthorization, qiniuPrivateUrl, qiniuUploadToken } from './qiniu.ts';
import { s3Headers, s3PostFields } from './s3-sign.ts';

const keys = {
  accessKey: 'AK_TEST_0000000000000000000000000000000000',
  secretKey: 'SK_TEST_0000000000000000000000000000000000',
};

test("an upload token equals Qiniu's own example", () => {
  const policy =
    '{"scope":"my-bucket:sunflower.jpg","deadline":1451491200,"returnBody":"{\\"name\\":$(fname),\\"size\\":$(fsize),\\"w\\":$(imageInfo.width),\\"h\\":$(imageInfo.height),\\"hash\\":$(etag)}"}';
  expect(qiniuUploadToken({ accessKey: 'MY_ACCESS_KEY', secretKey: 'MY_SECRET_KEY' }, policy)).toBe(
    'MY_ACCESS_KEY:wQ4ofysef1R7IKnrziqtomqyDvI=:eyJzY29wZSI6Im15LWJ1Y2tldDpzdW5mbG93ZXIuanBnIiwiZGVhZGxpbmUiOjE0NTE0OTEyMDAsInJldHVybkJvZHkiOiJ7XCJuYW1lXCI6JChmbmFtZSksXCJzaXplXCI6JChmc2l6ZSksXCJ3XCI6JChpbWFnZUluZm8ud2lkdGgpLFwiaFwiOiQoaW1hZ2VJbmZvLmhlaWdodCksXCJoYXNoXCI6JChldGFnKX0ifQ==',
  );
  const own =
    '{"scope":"shop-img:u/10001/a.jpg","insertOnly":1,"fsizeLimit":10485760,"mimeLimit":"image/jpeg;image/png","detectMime":1,"returnBody":"{\\"key\\":\\"$(key)\\",\\"hash\\":\\"$(etag)\\",\\"fsize\\":$(fsize),\\"mime\\":\\"$(mimeType)\\"}","deadline":1704136445}';
  expect(qiniuUploadToken(keys, own).split(':')[1]).toBe('uObyu3qgo_4371TGX49JThx88Eo=');
});

test('calls and private URLs are signed like the SDK’s', () => {
  expect(qiniuAuthorization(keys, '/api/qiniu/callback?x=1', 'key=u%2F10001%2Fa.jpg&hash=FhHash')).toBe(
    `QBox ${keys.accessKey}:HfxIYpulHlTzOJfGAHPkRGq7ctM=`,
  );
  expect(qiniuPrivateUrl(keys, 'http://img.shop.example/u/10001/a.jpg', 1704139445)).toBe(
    `http://img.shop.example/u/10001/a.jpg?e=1704139445&token=${keys.accessKey}:vwgY55r111M1wtGGJKHSe_wBu1o=`,
  );
});

test('a form for S3 has the SDK’s policy and signature', () => {
  const fields = s3PostFields(
    { accessKeyId: 'AKTEST', secretAccessKey: 'SKTEST', region: 'us-east-1' },
    {
      bucket: 'shop-img',
      key: 'u/1/a.jpg',
      maxBytes: 10_485_760,
      mimeTypes: ['image/jpeg'],
      expiresAt: new Date('2024-01-01T19:14:05Z'),
      now: new Date('2024-01-01T19:04:05Z'),
    },
  );
  expect(Buffer.from(fields.Policy ?? '', 'base64').toString()).toBe(
    '{"expiration":"2024-01-01T19:14:05Z","conditions":[["content-length-range",1,10485760],{"Content-Type":"image/jpeg"},{"bucket":"shop-img"},{"X-Amz-Algorithm":"AWS4-HMAC-SHA256"},{"X-Amz-Credential":"AKTEST/20240101/us-east-1/s3/aws4_request"},{"X-Amz-Date":"20240101T190405Z"},{"key":"u/1/a.jpg"}]}',
  );
  expect(fields['X-Amz-Signature']).toBe('f51d6bfda36d42f10ad3b5c912d3abadee8b5aa8cb3890164c3bb82c2b3b9834');
});

test("a request's headers are signed like the example of AWS", () => {
  const headers = s3Headers(
    {
      accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
      secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      region: 'us-east-1',
    },
    {
      method: 'GET',
      url: new URL('https://examplebucket.s3.amazonaws.com/test.txt'),
      headers: { range: 'bytes=0-9' },
      body: '',
      now: new Date('2013-05-24T00:00:00Z'),
    },
  );
  expect(headers.authorization).toContain('f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41');
});
