declare module 'ali-oss' {
  /** The part of Aliyun's client that the tests use; the package has no types. */
  export default class OSS {
    constructor(options: {
      region: string;
      accessKeyId: string;
      accessKeySecret: string;
      bucket: string;
      secure: boolean;
    });
    generateObjectUrl(key: string): string;
  }
}
