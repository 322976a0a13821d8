/**
 * Types of everything that a transform may use.
 *
 *     /** @type {Transform} *\/
 *     module.exports = async ({ args, configuration, bt }) => ({ body: args.body });
 *
 * Use it with the library ES2021, without "DOM" and without @types/node.
 */

/** The exported function of a transform. One without `async` may return the result itself. */
type Transform = (input: TransformInput) => Promise<TransformResult>;

interface TransformInput {
  /** The request or, in a response transform, the response. */
  args: TransformArguments;
  /** The configuration of the proxy. */
  configuration: Record<string, string>;
  /** The vault, with the permissions of the proxy's application. Absent if the proxy has none. */
  bt: VaultClient;
}

interface TransformArguments {
  /** Parsed JSON, a string for other text, a `Buffer` for anything else, `null` for none. */
  body: any;
  /** Names are in lower case; repeated headers are joined by `, `, except `set-cookie`. */
  headers: Record<string, string> & { 'set-cookie'?: any };
  method: string;
  /** Such as `/charges`. */
  path: string;
  /** Such as `?a=b`; may be empty. */
  query: string;
}

/** An absent property is unchanged, and `null` sends none. */
interface TransformResult {
  /** Bytes and strings are sent unchanged, anything else as JSON. */
  body?: any;
  headers?: TransformHeaders | null;
}

/** A list is a repeated header; `null` and an empty list remove it. */
type TransformHeaders = Record<string, HeaderValue | HeaderValue[] | null | undefined>;
type HeaderValue = string | number | boolean;

/** Methods accept and results have names in snake_case and camelCase. */
interface VaultClient {
  tokens: {
    create(token: NewToken): Promise<Token>;
    retrieve(id: string): Promise<Token>;
    update(id: string, changes: Partial<NewToken>): Promise<Token>;
    delete(id: string): Promise<void>;
    list(query?: Record<string, unknown>): Promise<{ data: Token[]; pagination: any }>;
  };
  permissions: { list(): Promise<any> };
  /** Replaces every object with `type` and `data` by a token. */
  tokenize(value: any): Promise<any>;
  /** Replaces `{{ }}` expressions by data. */
  detokenize(value: any): Promise<any>;
}

interface NewToken {
  type: string;
  data: any;
  containers?: string[];
  [property: string]: any;
}

interface Token extends NewToken {
  id: string;
}

type ErrorTexts = string | string[] | Error | Record<string, string | string[]>;

/** Returns exactly this response to the caller of the proxy. */
declare class CustomHttpResponseError extends Error {
  constructor(response: { status: number; headers?: TransformHeaders; body?: any });
  status: number;
  headers: TransformHeaders;
  body: any;
}

/** An error for the caller of the proxy, with the messages that it was created with. */
declare class VaultError extends Error {
  constructor(errors?: ErrorTexts);
  status: number;
  errors: Record<string, string[]>;
}
declare class BadRequestError extends VaultError {}
declare class AuthenticationError extends VaultError {}
declare class AuthorizationError extends VaultError {}
declare class NotFoundError extends VaultError {}
declare class RateLimitError extends VaultError {}

// Modules of CommonJS

declare var module: { exports: any };
declare var exports: any;
declare function require(name: string): any;

// Globals

declare var global: typeof globalThis;

type TextEncodingName =
  | 'utf8' | 'utf-8' | 'hex' | 'base64' | 'base64url' | 'latin1' | 'binary' | 'ascii' | 'utf16le' | 'ucs2';
type Bytes = ArrayBuffer | SharedArrayBuffer | ArrayBufferView;
type Data = string | Bytes | Buffer;

declare class Buffer extends Uint8Array {
  static from(text: string, encoding?: TextEncodingName): Buffer;
  static from(data: Buffer | Bytes | ArrayLike<number> | Iterable<number>, ...rest: any[]): Buffer;
  static alloc(size: number, fill?: string | number | Uint8Array, encoding?: TextEncodingName): Buffer;
  static allocUnsafe(size: number): Buffer;
  static concat(list: readonly Uint8Array[], length?: number): Buffer;
  static byteLength(data: Data, encoding?: TextEncodingName): number;
  static compare(a: Uint8Array, b: Uint8Array): -1 | 0 | 1;
  static isBuffer(value: any): value is Buffer;
  static isEncoding(name: string): boolean;
  toString(encoding?: TextEncodingName, start?: number, end?: number): string;
  toJSON(): { type: 'Buffer'; data: number[] };
  equals(other: Uint8Array): boolean;
  compare(other: Uint8Array, ...range: number[]): -1 | 0 | 1;
  copy(target: Uint8Array, targetStart?: number, start?: number, end?: number): number;
  write(text: string, ...rest: any[]): number;
  slice(start?: number, end?: number): Buffer;
  subarray(start?: number, end?: number): Buffer;
  fill(value: any, ...rest: any[]): this;
  indexOf(value: any, ...rest: any[]): number;
  lastIndexOf(value: any, ...rest: any[]): number;
  includes(value: any, ...rest: any[]): boolean;
  readUInt8(offset?: number): number;
  readUInt16BE(offset?: number): number;
  readUInt16LE(offset?: number): number;
  readUInt32BE(offset?: number): number;
  readUInt32LE(offset?: number): number;
  readInt8(offset?: number): number;
  readInt16BE(offset?: number): number;
  readInt16LE(offset?: number): number;
  readInt32BE(offset?: number): number;
  readInt32LE(offset?: number): number;
  readUIntBE(offset: number, length: number): number;
  readUIntLE(offset: number, length: number): number;
  readIntBE(offset: number, length: number): number;
  readIntLE(offset: number, length: number): number;
  readBigUInt64BE(offset?: number): bigint;
  readBigUInt64LE(offset?: number): bigint;
  readBigInt64BE(offset?: number): bigint;
  readBigInt64LE(offset?: number): bigint;
  readFloatBE(offset?: number): number;
  readFloatLE(offset?: number): number;
  readDoubleBE(offset?: number): number;
  readDoubleLE(offset?: number): number;
  writeUInt8(value: number, offset?: number): number;
  writeUInt16BE(value: number, offset?: number): number;
  writeUInt16LE(value: number, offset?: number): number;
  writeUInt32BE(value: number, offset?: number): number;
  writeUInt32LE(value: number, offset?: number): number;
  writeInt8(value: number, offset?: number): number;
  writeInt16BE(value: number, offset?: number): number;
  writeInt16LE(value: number, offset?: number): number;
  writeInt32BE(value: number, offset?: number): number;
  writeInt32LE(value: number, offset?: number): number;
  writeUIntBE(value: number, offset: number, length: number): number;
  writeUIntLE(value: number, offset: number, length: number): number;
  writeIntBE(value: number, offset: number, length: number): number;
  writeIntLE(value: number, offset: number, length: number): number;
  writeBigUInt64BE(value: bigint, offset?: number): number;
  writeBigUInt64LE(value: bigint, offset?: number): number;
  writeBigInt64BE(value: bigint, offset?: number): number;
  writeBigInt64LE(value: bigint, offset?: number): number;
  writeFloatBE(value: number, offset?: number): number;
  writeFloatLE(value: number, offset?: number): number;
  writeDoubleBE(value: number, offset?: number): number;
  writeDoubleLE(value: number, offset?: number): number;
  swap16(): this;
  swap32(): this;
  swap64(): this;
}

declare class TextEncoder {
  readonly encoding: string;
  encode(text?: string): Uint8Array;
}

declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  readonly encoding: string;
  decode(data?: Bytes, options?: { stream?: boolean }): string;
}

declare function atob(data: string): string;
declare function btoa(data: string): string;

/** A key of `crypto.subtle`, which functions of the module `crypto` accept, too. */
declare class CryptoKey {
  readonly type: 'secret' | 'public' | 'private';
  readonly extractable: boolean;
  readonly algorithm: any;
  readonly usages: string[];
}

/** The name of an algorithm, or an object with its name and parameters. */
type Algorithm = string | { name: string; [parameter: string]: any };

interface SubtleCrypto {
  digest(algorithm: Algorithm, data: Bytes): Promise<ArrayBuffer>;
  encrypt(algorithm: Algorithm, key: CryptoKey, data: Bytes): Promise<ArrayBuffer>;
  decrypt(algorithm: Algorithm, key: CryptoKey, data: Bytes): Promise<ArrayBuffer>;
  sign(algorithm: Algorithm, key: CryptoKey, data: Bytes): Promise<ArrayBuffer>;
  verify(algorithm: Algorithm, key: CryptoKey, signature: Bytes, data: Bytes): Promise<boolean>;
  generateKey(algorithm: Algorithm, extractable: boolean, usages: string[]): Promise<any>;
  importKey(format: string, key: any, algorithm: Algorithm, extractable: boolean, usages: string[]): Promise<CryptoKey>;
  exportKey(format: string, key: CryptoKey): Promise<any>;
  deriveBits(algorithm: Algorithm, key: CryptoKey, length: number | null): Promise<ArrayBuffer>;
  deriveKey(algorithm: Algorithm, key: CryptoKey, derived: Algorithm, extractable: boolean, usages: string[]): Promise<CryptoKey>;
  wrapKey(format: string, key: CryptoKey, wrappingKey: CryptoKey, algorithm: Algorithm): Promise<ArrayBuffer>;
  unwrapKey(format: string, wrapped: Bytes, key: CryptoKey, algorithm: Algorithm, unwrapped: Algorithm, extractable: boolean, usages: string[]): Promise<CryptoKey>;
}

interface Crypto {
  readonly subtle: SubtleCrypto;
  getRandomValues<T>(array: T): T;
  randomUUID(options?: any): string;
}

declare const crypto: Crypto;

/** Output appears in tests and dry runs, and is stored nowhere. */
declare var console: {
  log(...values: any[]): void;
  info(...values: any[]): void;
  warn(...values: any[]): void;
  error(...values: any[]): void;
  debug(...values: any[]): void;
  [method: string]: (...values: any[]) => void;
};

/** Milliseconds since it was first used. */
declare const performance: { now(): number; readonly timeOrigin: number };

declare function structuredClone<T>(value: T, options?: { transfer?: readonly any[] }): T;
declare function setTimeout(run: (...values: any[]) => void, millis?: number, ...values: any[]): any;
declare function setInterval(run: (...values: any[]) => void, millis?: number, ...values: any[]): any;
declare function setImmediate(run: (...values: any[]) => void, ...values: any[]): any;
declare function clearTimeout(timer: any): void;
declare function clearInterval(timer: any): void;
declare function clearImmediate(timer: any): void;
declare function queueMicrotask(run: () => void): void;

declare class URLSearchParams {
  constructor(init?: string | Record<string, string> | Iterable<[string, string]> | URLSearchParams);
  append(name: string, value: any): void;
  delete(name: string): void;
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string): boolean;
  set(name: string, value: any): void;
  sort(): void;
  toString(): string;
  forEach(run: (value: string, name: string, all: URLSearchParams) => void): void;
  entries(): IterableIterator<[string, string]>;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
}

declare class URL {
  constructor(url: string | URL, base?: string | URL);
  href: string;
  readonly origin: string;
  protocol: string;
  username: string;
  password: string;
  host: string;
  hostname: string;
  port: string;
  pathname: string;
  search: string;
  readonly searchParams: URLSearchParams;
  hash: string;
  toString(): string;
  toJSON(): string;
}

declare class Headers {
  constructor(init?: HeadersInit);
  append(name: string, value: string): void;
  delete(name: string): void;
  get(name: string): string | null;
  has(name: string): boolean;
  set(name: string, value: string): void;
  forEach(run: (value: string, name: string, all: Headers) => void): void;
  entries(): IterableIterator<[string, string]>;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
}

type HeadersInit = Headers | Record<string, string> | Iterable<[string, string]>;

declare class Blob {
  constructor(parts?: Iterable<Data | Blob>, options?: { type?: string });
  readonly size: number;
  readonly type: string;
  slice(start?: number, end?: number, type?: string): Blob;
  stream(): ReadableStream<Uint8Array>;
  arrayBuffer(): Promise<ArrayBuffer>;
  text(): Promise<string>;
}

declare class File extends Blob {
  constructor(parts: Iterable<Data | Blob>, name: string, options?: { type?: string; lastModified?: number });
  readonly name: string;
  readonly lastModified: number;
}

/** As a body, it is sent as `multipart/form-data`. */
declare class FormData {
  append(name: string, value: string | Blob, fileName?: string): void;
  delete(name: string): void;
  get(name: string): string | File | null;
  getAll(name: string): (string | File)[];
  has(name: string): boolean;
  set(name: string, value: string | Blob, fileName?: string): void;
  forEach(run: (value: string | File, name: string, all: FormData) => void): void;
  entries(): IterableIterator<[string, string | File]>;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string | File>;
  [Symbol.iterator](): IterableIterator<[string, string | File]>;
}

type Body = Data | Blob | FormData | URLSearchParams | AsyncIterable<Uint8Array> | null;

interface RequestInit {
  method?: string;
  headers?: HeadersInit;
  body?: Body;
  signal?: AbortSignal;
  redirect?: string;
  /** Required with a stream as the body. */
  duplex?: 'half';
}

declare class ReadableStreamDefaultReader<T = any> {
  constructor(stream: ReadableStream<T>);
  readonly closed: Promise<void>;
  read(): Promise<{ value: T; done: false } | { value: undefined; done: true }>;
  cancel(reason?: any): Promise<void>;
  releaseLock(): void;
}
declare class ReadableStreamBYOBReader {
  constructor(stream: ReadableStream<Uint8Array>);
  readonly closed: Promise<void>;
  read<V extends ArrayBufferView>(view: V): Promise<{ value: V | undefined; done: boolean }>;
  cancel(reason?: any): Promise<void>;
  releaseLock(): void;
}
declare class ReadableStream<T = any> implements AsyncIterable<T> {
  static from<T>(values: Iterable<T> | AsyncIterable<T>): ReadableStream<T>;
  constructor(
    source?: { type?: 'bytes'; start?(controller: any): any; pull?(controller: any): any; cancel?(reason: any): any },
    strategy?: { highWaterMark?: number; size?(chunk: T): number });
  readonly locked: boolean;
  cancel(reason?: any): Promise<void>;
  getReader(): ReadableStreamDefaultReader<T>;
  getReader(options: { mode: 'byob' }): ReadableStreamBYOBReader;
  pipeThrough<R>(pair: { readable: ReadableStream<R>; writable: WritableStream<T> }, options?: any): ReadableStream<R>;
  pipeTo(target: WritableStream<T>, options?: any): Promise<void>;
  tee(): [ReadableStream<T>, ReadableStream<T>];
  values(options?: { preventCancel?: boolean }): AsyncIterableIterator<T>;
  [Symbol.asyncIterator](): AsyncIterableIterator<T>;
}
declare class WritableStreamDefaultWriter<T = any> {
  constructor(stream: WritableStream<T>);
  readonly closed: Promise<void>;
  readonly desiredSize: number | null;
  readonly ready: Promise<void>;
  abort(reason?: any): Promise<void>;
  close(): Promise<void>;
  write(chunk: T): Promise<void>;
  releaseLock(): void;
}
declare class WritableStream<T = any> {
  constructor(
    sink?: { start?(controller: any): any; write?(chunk: T, controller: any): any; close?(): any; abort?(reason: any): any },
    strategy?: { highWaterMark?: number; size?(chunk: T): number });
  readonly locked: boolean;
  abort(reason?: any): Promise<void>;
  close(): Promise<void>;
  getWriter(): WritableStreamDefaultWriter<T>;
}
declare class TransformStream<I = any, O = any> {
  constructor(
    transformer?: { start?(controller: any): any; transform?(chunk: I, controller: any): any; flush?(controller: any): any },
    writableStrategy?: { highWaterMark?: number; size?(chunk: I): number },
    readableStrategy?: { highWaterMark?: number; size?(chunk: O): number });
  readonly readable: ReadableStream<O>;
  readonly writable: WritableStream<I>;
}
declare class TextEncoderStream extends TransformStream<string, Uint8Array> {
  constructor();
}
declare class TextDecoderStream extends TransformStream<Bytes, string> {
  constructor(encoding?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
}
declare class CompressionStream extends TransformStream<Bytes, Uint8Array> {
  constructor(format: 'deflate' | 'deflate-raw' | 'gzip');
}
declare class DecompressionStream extends CompressionStream {}
declare class ByteLengthQueuingStrategy {
  constructor(options: { highWaterMark: number });
  readonly highWaterMark: number;
  size(chunk?: any): number;
}
declare class CountQueuingStrategy extends ByteLengthQueuingStrategy {}

interface ContentReader {
  readonly body: ReadableStream<Uint8Array> | null;
  readonly headers: Headers;
  readonly bodyUsed: boolean;
  text(): Promise<string>;
  json(): Promise<any>;
  blob(): Promise<Blob>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

declare class Request {
  constructor(request: string | URL | Request, init?: RequestInit);
  readonly url: string;
  readonly method: string;
  clone(): Request;
}
interface Request extends ContentReader {}

declare class Response {
  constructor(body?: Body, init?: { status?: number; statusText?: string; headers?: HeadersInit });
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly url: string;
  clone(): Response;
}
interface Response extends ContentReader {}

/** Subject to the destination rules of the vault. Redirects are returned, not followed. */
declare function fetch(request: string | URL | Request, init?: RequestInit): Promise<Response>;

declare class Event {
  constructor(type: string, init?: any);
  readonly type: string;
}
declare class EventTarget {
  addEventListener(type: string, listener: any, options?: any): void;
  removeEventListener(type: string, listener: any): void;
  dispatchEvent(event: Event): boolean;
}
declare class AbortSignal extends EventTarget {
  static abort(reason?: any): AbortSignal;
  static timeout(millis: number): AbortSignal;
  static any(signals: Iterable<AbortSignal>): AbortSignal;
  readonly aborted: boolean;
  readonly reason: any;
  throwIfAborted(): void;
}
declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: any): void;
}
declare class DOMException extends Error {
  constructor(message?: string, name?: string);
}

// Modules

declare module 'vault-errors' {
  export = vaultErrors;
  const vaultErrors: {
    BadRequestError: typeof BadRequestError;
    AuthenticationError: typeof AuthenticationError;
    AuthorizationError: typeof AuthorizationError;
    NotFoundError: typeof NotFoundError;
    RateLimitError: typeof RateLimitError;
    CustomHttpResponseError: typeof CustomHttpResponseError;
  };
}

declare module 'crypto' {
  import { Transform, Writable } from 'stream';
  class KeyObject {
    private constructor();
    static from(key: CryptoKey): KeyObject;
    readonly type: 'secret' | 'public' | 'private';
    readonly asymmetricKeyType?: string;
    readonly asymmetricKeyDetails?: any;
    readonly symmetricKeySize?: number;
    equals(other: KeyObject): boolean;
    export(options?: any): any;
  }
  interface Hash extends Transform {
    update(data: Data, encoding?: TextEncodingName): this;
    digest(): Buffer;
    digest(encoding: TextEncodingName): string;
    copy(): Hash;
  }
  interface Hmac extends Transform {
    update(data: Data, encoding?: TextEncodingName): this;
    digest(): Buffer;
    digest(encoding: TextEncodingName): string;
  }
  interface Cipher extends Transform {
    update(data: Data): Buffer;
    update(data: Data, input: TextEncodingName | undefined): Buffer;
    update(data: Data, input: TextEncodingName | undefined, output: TextEncodingName): string;
    final(): Buffer;
    final(output: TextEncodingName): string;
    setAutoPadding(padding?: boolean): this;
    setAAD(data: Data, options?: any): this;
    getAuthTag(): Buffer;
    setAuthTag(tag: Data, encoding?: TextEncodingName): this;
  }
  interface Signer extends Writable {
    update(data: Data, encoding?: TextEncodingName): this;
    sign(key: Key): Buffer;
    sign(key: Key, encoding: TextEncodingName): string;
  }
  interface Verifier extends Writable {
    update(data: Data, encoding?: TextEncodingName): this;
    verify(key: Key, signature: Data, encoding?: TextEncodingName): boolean;
  }
  /** A key, PEM, or an object such as `{ key, padding, dsaEncoding }`. */
  type Key = Data | KeyObject | { key: any; [option: string]: any };
  type Done<T> = (error: Error | null, result: T) => void;

  const constants: Record<string, number>;
  const webcrypto: Crypto;
  const subtle: SubtleCrypto;
  function getRandomValues<T>(array: T): T;
  function hash(algorithm: string, input: Data, encoding?: TextEncodingName): string;
  function createHash(algorithm: string, options?: any): Hash;
  function createHmac(algorithm: string, key: Data | KeyObject, options?: any): Hmac;
  function getHashes(): string[];
  function getCiphers(): string[];
  function getCurves(): string[];
  function hkdf(digest: string, key: Data | KeyObject, salt: Data, info: Data, length: number, done: Done<ArrayBuffer>): void;
  function hkdfSync(digest: string, key: Data | KeyObject, salt: Data, info: Data, length: number): ArrayBuffer;
  function pbkdf2(password: Data, salt: Data, iterations: number, length: number, digest: string, done: Done<Buffer>): void;
  function pbkdf2Sync(password: Data, salt: Data, iterations: number, length: number, digest: string): Buffer;
  function createCipheriv(algorithm: string, key: Data | KeyObject, iv: Data | null, options?: any): Cipher;
  function createDecipheriv(algorithm: string, key: Data | KeyObject, iv: Data | null, options?: any): Cipher;
  function publicEncrypt(key: Key, data: Bytes): Buffer;
  function privateDecrypt(key: Key, data: Bytes): Buffer;
  function generateKey(type: 'aes' | 'hmac', options: { length: number }, done: Done<KeyObject>): void;
  function generateKeySync(type: 'aes' | 'hmac', options: { length: number }): KeyObject;
  function generateKeyPair(type: 'rsa' | 'ec' | 'ed25519', options: any, done: (error: Error | null, publicKey: any, privateKey: any) => void): void;
  function generateKeyPairSync(type: 'rsa' | 'ec' | 'ed25519', options?: any): { publicKey: any; privateKey: any };
  interface ECDH {
    generateKeys(): Buffer;
    generateKeys(encoding: TextEncodingName | null, format?: string): any;
    computeSecret(other: Data, inputEncoding?: TextEncodingName): Buffer;
    computeSecret(other: Data, inputEncoding: TextEncodingName | null | undefined, outputEncoding: TextEncodingName): string;
    getPrivateKey(): Buffer;
    getPrivateKey(encoding: TextEncodingName): string;
    getPublicKey(): Buffer;
    getPublicKey(encoding: TextEncodingName | null, format?: string): any;
    setPrivateKey(key: Data, encoding?: TextEncodingName): ECDH;
  }
  function createECDH(curve: string): ECDH;
  function diffieHellman(keys: { privateKey: KeyObject; publicKey: KeyObject }): Buffer;
  function createSecretKey(key: Data, encoding?: TextEncodingName): KeyObject;
  function createPrivateKey(key: Key): KeyObject;
  function createPublicKey(key: Key): KeyObject;
  function createSign(algorithm: string, options?: any): Signer;
  function createVerify(algorithm: string, options?: any): Verifier;
  function sign(algorithm: string | null | undefined, data: Bytes, key: Key): Buffer;
  function sign(algorithm: string | null | undefined, data: Bytes, key: Key, done: Done<Buffer>): void;
  function verify(algorithm: string | null | undefined, data: Bytes, key: Key, signature: Bytes): boolean;
  function verify(algorithm: string | null | undefined, data: Bytes, key: Key, signature: Bytes, done: Done<boolean>): void;
  function randomBytes(size: number): Buffer;
  function randomBytes(size: number, done: Done<Buffer>): void;
  function randomFill<T>(buffer: T, done: Done<T>): void;
  function randomFill<T>(buffer: T, offset: number, done: Done<T>): void;
  function randomFill<T>(buffer: T, offset: number, size: number, done: Done<T>): void;
  function randomFillSync<T>(buffer: T, offset?: number, size?: number): T;
  function randomInt(max: number): number;
  function randomInt(min: number, max: number): number;
  function randomInt(max: number, done: Done<number>): void;
  function randomInt(min: number, max: number, done: Done<number>): void;
  function randomUUID(options?: any): string;
  function timingSafeEqual(a: Bytes, b: Bytes): boolean;
}

declare module 'buffer' {
  const globalBuffer: typeof Buffer;
  export { globalBuffer as Buffer };
  export function atob(data: string): string;
  export function btoa(data: string): string;
  export const constants: Record<string, number>;
}

declare module 'querystring' {
  export function parse(text: string, separator?: string, equals?: string, options?: any): Record<string, string | string[]>;
  export function stringify(object: Record<string, any>, separator?: string, equals?: string, options?: any): string;
  export function escape(text: string): string;
  export function unescape(text: string): string;
}

declare module 'url' {
  const globalURL: typeof URL;
  const globalParams: typeof URLSearchParams;
  export { globalURL as URL, globalParams as URLSearchParams };
  export class Url {
    protocol: string | null;
    slashes: boolean | null;
    auth: string | null;
    host: string | null;
    port: string | null;
    hostname: string | null;
    hash: string | null;
    search: string | null;
    query: string | Record<string, string | string[]> | null;
    pathname: string | null;
    path: string | null;
    href: string;
    parse(url: string, parseQuery?: boolean, slashesDenoteHost?: boolean): this;
    format(): string;
    resolve(to: string | Url): string;
    resolveObject(to: string | Url): Url;
  }
  export function domainToASCII(domain: string): string;
  type Parts = Partial<Omit<Url, 'port' | 'query' | 'parse' | 'format' | 'resolve' | 'resolveObject'>> & {
    port?: string | number | null;
    query?: string | Record<string, any> | null;
  };
  export function domainToUnicode(domain: string): string;
  export function fileURLToPath(url: string | URL): string;
  export function format(url: string | URL | Url | Parts, options?: { auth?: boolean; fragment?: boolean; search?: boolean; unicode?: boolean }): string;
  export function parse(url: string | Url, parseQuery?: boolean, slashesDenoteHost?: boolean): Url;
  export function pathToFileURL(path: string): URL;
  export function resolve(from: string | Url, to: string | Url): string;
  export function resolveObject(from: string | Url, to: string | Url): Url;
  export function urlToHttpOptions(url: URL): any;
}

declare module 'util' {
  export function callbackify(run: (...values: any[]) => Promise<any>): (...values: any[]) => void;
  export function debuglog(section: string): ((...values: any[]) => void) & { enabled: boolean };
  export function deprecate<T>(run: T, message?: string): T;
  export function format(format?: any, ...values: any[]): string;
  export function formatWithOptions(options: any, format?: any, ...values: any[]): string;
  export function inherits(type: any, parent: any): void;
  export const inspect: { (value: any, options?: any): string; custom: symbol; defaultOptions: any };
  export function isDeepStrictEqual(a: any, b: any): boolean;
  export const promisify: { (run: (...values: any[]) => void): (...values: any[]) => Promise<any>; custom: symbol };
  export function stripVTControlCharacters(text: string): string;
  export function toUSVString(text: string): string;
  export const types: Record<string, (value: any) => boolean>;
  const globalEncoder: typeof TextEncoder;
  const globalDecoder: typeof TextDecoder;
  export { globalEncoder as TextEncoder, globalDecoder as TextDecoder };
}

declare module 'util/types' {
  const types: Record<string, (value: any) => boolean>;
  export = types;
}

declare module 'events' {
  type Listener = (...values: any[]) => void;
  type EventName = string | symbol;
  class EventEmitter {
    static EventEmitter: typeof EventEmitter;
    static defaultMaxListeners: number;
    static readonly errorMonitor: symbol;
    static readonly captureRejectionSymbol: symbol;
    static once(emitter: EventEmitter | EventTarget, event: EventName, options?: { signal?: AbortSignal }): Promise<any[]>;
    static on(emitter: EventEmitter | EventTarget, event: EventName, options?: { signal?: AbortSignal }): AsyncIterableIterator<any[]>;
    static listenerCount(emitter: EventEmitter, event: EventName): number;
    static getEventListeners(emitter: EventEmitter | EventTarget, event: EventName): Function[];
    static setMaxListeners(count: number, ...emitters: EventEmitter[]): void;
    on(event: EventName, listener: Listener): this;
    addListener(event: EventName, listener: Listener): this;
    prependListener(event: EventName, listener: Listener): this;
    once(event: EventName, listener: Listener): this;
    prependOnceListener(event: EventName, listener: Listener): this;
    off(event: EventName, listener: Listener): this;
    removeListener(event: EventName, listener: Listener): this;
    removeAllListeners(event?: EventName): this;
    emit(event: EventName, ...values: any[]): boolean;
    listeners(event: EventName): Function[];
    rawListeners(event: EventName): Function[];
    listenerCount(event: EventName): number;
    eventNames(): EventName[];
    setMaxListeners(count: number): this;
    getMaxListeners(): number;
  }
  namespace EventEmitter {}
  export = EventEmitter;
}

declare module 'assert' {
  function assert(value: any, message?: string | Error): asserts value;
  namespace assert {
    type Message = string | Error;
    class AssertionError extends Error {
      constructor(options: { message?: string; actual?: any; expected?: any; operator?: string });
      actual: any;
      expected: any;
      operator: string;
      generatedMessage: boolean;
      code: 'ERR_ASSERTION';
    }
    const strict: typeof assert;
    function ok(value: any, message?: Message): asserts value;
    function fail(message?: Message): never;
    function ifError(value: any): void;
    function equal(actual: any, expected: any, message?: Message): void;
    function notEqual(actual: any, expected: any, message?: Message): void;
    function strictEqual(actual: any, expected: any, message?: Message): void;
    function notStrictEqual(actual: any, expected: any, message?: Message): void;
    function deepEqual(actual: any, expected: any, message?: Message): void;
    function notDeepEqual(actual: any, expected: any, message?: Message): void;
    function deepStrictEqual(actual: any, expected: any, message?: Message): void;
    function notDeepStrictEqual(actual: any, expected: any, message?: Message): void;
    function match(text: string, pattern: RegExp, message?: Message): void;
    function doesNotMatch(text: string, pattern: RegExp, message?: Message): void;
    function throws(run: () => any, expected?: any, message?: Message): void;
    function doesNotThrow(run: () => any, expected?: any, message?: Message): void;
    function rejects(promise: Promise<any> | (() => Promise<any>), expected?: any, message?: Message): Promise<void>;
    function doesNotReject(promise: Promise<any> | (() => Promise<any>), expected?: any, message?: Message): Promise<void>;
  }
  export = assert;
}

declare module 'assert/strict' {
  import { strict } from 'assert';
  export = strict;
}

declare module 'stream' {
  import EventEmitter = require('events');
  class Stream extends EventEmitter {
    pipe<T>(target: T, options?: { end?: boolean }): T;
  }
  namespace Stream {
    class Readable extends Stream {
      static from(values: Iterable<any> | AsyncIterable<any>, options?: any): Readable;
      static fromWeb(stream: ReadableStream, options?: any): Readable;
      static toWeb(stream: Readable, options?: any): ReadableStream;
      constructor(options?: any);
      readonly destroyed: boolean;
      readonly readable: boolean;
      read(size?: number): any;
      push(chunk: any, encoding?: TextEncodingName): boolean;
      unshift(chunk: any, encoding?: TextEncodingName): void;
      pause(): this;
      resume(): this;
      setEncoding(encoding: TextEncodingName): this;
      unpipe(target?: any): this;
      destroy(error?: Error): this;
      [Symbol.asyncIterator](): AsyncIterableIterator<any>;
    }
    class Writable extends Stream {
      constructor(options?: any);
      readonly destroyed: boolean;
      readonly writable: boolean;
      write(chunk: any, ...rest: any[]): boolean;
      end(...rest: any[]): this;
      cork(): void;
      uncork(): void;
      destroy(error?: Error): this;
    }
    class Duplex extends Readable {
      readonly writable: boolean;
      write(chunk: any, ...rest: any[]): boolean;
      end(...rest: any[]): this;
      cork(): void;
      uncork(): void;
    }
    class Transform extends Duplex {}
    class PassThrough extends Transform {}
    function pipeline(...streams: any[]): any;
    function finished(stream: any, ...rest: any[]): () => void;
    function addAbortSignal<T>(signal: AbortSignal, stream: T): T;
    const promises: typeof import('stream/promises');
  }
  export = Stream;
}

declare module 'stream/consumers' {
  type Source = Iterable<any> | AsyncIterable<any>;
  export function arrayBuffer(stream: Source): Promise<ArrayBuffer>;
  export function blob(stream: Source): Promise<Blob>;
  export function buffer(stream: Source): Promise<Buffer>;
  export function json(stream: Source): Promise<any>;
  export function text(stream: Source): Promise<string>;
}

declare module 'stream/promises' {
  export function pipeline(...streams: any[]): Promise<any>;
  export function finished(stream: any, options?: any): Promise<void>;
}

declare module 'stream/web' {
  const classes: {
    ByteLengthQueuingStrategy: typeof ByteLengthQueuingStrategy;
    CompressionStream: typeof CompressionStream;
    CountQueuingStrategy: typeof CountQueuingStrategy;
    DecompressionStream: typeof DecompressionStream;
    ReadableStream: typeof ReadableStream;
    ReadableStreamBYOBReader: typeof ReadableStreamBYOBReader;
    ReadableStreamDefaultReader: typeof ReadableStreamDefaultReader;
    TextDecoderStream: typeof TextDecoderStream;
    TextEncoderStream: typeof TextEncoderStream;
    TransformStream: typeof TransformStream;
    WritableStream: typeof WritableStream;
    WritableStreamDefaultWriter: typeof WritableStreamDefaultWriter;
  };
  export = classes;
}

declare module 'string_decoder' {
  export class StringDecoder {
    constructor(encoding?: TextEncodingName);
    readonly encoding: string;
    write(data: string | ArrayBufferView): string;
    end(data?: string | ArrayBufferView): string;
  }
}

declare module 'path' {
  interface ParsedPath {
    root: string;
    dir: string;
    base: string;
    ext: string;
    name: string;
  }
  const path: {
    readonly sep: '/';
    readonly delimiter: ':';
    readonly posix: typeof path;
    basename(path: string, suffix?: string): string;
    dirname(path: string): string;
    extname(path: string): string;
    format(path: Partial<ParsedPath>): string;
    isAbsolute(path: string): boolean;
    join(...parts: string[]): string;
    normalize(path: string): string;
    parse(path: string): ParsedPath;
    relative(from: string, to: string): string;
    resolve(...parts: string[]): string;
  };
  export = path;
}

declare module 'path/posix' {
  import path = require('path');
  export = path;
}

/** Values are fixed, and say nothing about the machine. */
declare module 'os' {
  export const EOL: '\n';
  export const constants: { errno: Record<string, number>; signals: Record<string, number> };
  export function arch(): string;
  export function cpus(): any[];
  export function endianness(): 'LE';
  export function homedir(): string;
  export function hostname(): string;
  export function platform(): 'linux';
  export function release(): string;
  export function tmpdir(): string;
  export function type(): string;
}

declare module 'process' {
  import EventEmitter = require('events');
  interface Output extends EventEmitter {
    readonly fd: number;
    readonly writable: boolean;
    write(chunk: string | Uint8Array, encoding?: any, callback?: () => void): boolean;
    end(...rest: any[]): this;
    cork(): void;
    uncork(): void;
  }
  interface Process extends EventEmitter {
    readonly version: string;
    readonly versions: { readonly node: string };
    readonly title: string;
    readonly platform: 'linux';
    readonly arch: 'x64';
    readonly env: Record<string, string | undefined>;
    readonly argv: readonly string[];
    readonly pid: number;
    readonly stdout: Output;
    readonly stderr: Output;
    cwd(): string;
    emitWarning(warning: any, ...rest: any[]): void;
    nextTick(run: (...values: any[]) => void, ...values: any[]): void;
  }
  const process: Process;
  export = process;
}

declare module 'punycode' {
  export const version: string;
  export const ucs2: { decode(text: string): number[]; encode(codePoints: number[]): string };
  export function decode(text: string): string;
  export function encode(text: string): string;
  export function toASCII(domain: string): string;
  export function toUnicode(domain: string): string;
}

/** The functions that would use the network throw. */
declare module 'http' {
  export const METHODS: string[];
  export const STATUS_CODES: Record<string, string>;
  export class Agent {
    constructor(options?: any);
    destroy(): void;
  }
}

declare module 'https' {
  export { Agent } from 'http';
}

declare module 'zlib' {
  import { Transform } from 'stream';
  interface Options {
    level?: number;
    strategy?: number;
    dictionary?: Bytes;
    finishFlush?: number;
    maxOutputLength?: number;
    [option: string]: any;
  }
  type Done = (error: Error | null, result: Buffer) => void;
  interface Asynchronous {
    (data: Data, done: Done): void;
    (data: Data, options: Options, done: Done): void;
  }
  export const constants: Record<string, number>;
  export const gzip: Asynchronous;
  export const gunzip: Asynchronous;
  export const deflate: Asynchronous;
  export const inflate: Asynchronous;
  export const deflateRaw: Asynchronous;
  export const inflateRaw: Asynchronous;
  export const unzip: Asynchronous;
  export function gzipSync(data: Data, options?: Options): Buffer;
  export function gunzipSync(data: Data, options?: Options): Buffer;
  export function deflateSync(data: Data, options?: Options): Buffer;
  export function inflateSync(data: Data, options?: Options): Buffer;
  export function deflateRawSync(data: Data, options?: Options): Buffer;
  export function inflateRawSync(data: Data, options?: Options): Buffer;
  export function unzipSync(data: Data, options?: Options): Buffer;
  export function createGzip(options?: Options): Transform;
  export function createGunzip(options?: Options): Transform;
  export function createDeflate(options?: Options): Transform;
  export function createInflate(options?: Options): Transform;
  export function createDeflateRaw(options?: Options): Transform;
  export function createInflateRaw(options?: Options): Transform;
  export function createUnzip(options?: Options): Transform;
  export function crc32(data: Data, value?: number): number;
}

/** Reaches listeners within the invocation only. */
declare module 'diagnostics_channel' {
  type Listener = (message: any, name: string) => void;
  export class Channel {
    readonly name: string;
    readonly hasSubscribers: boolean;
    subscribe(listener: Listener): void;
    unsubscribe(listener: Listener): boolean;
    publish(message: any): void;
  }
  export function channel(name: string): Channel;
  export function hasSubscribers(name: string): boolean;
  export function subscribe(name: string, listener: Listener): void;
  export function unsubscribe(name: string, listener: Listener): boolean;
}

declare module 'tty' {
  export function isatty(descriptor: number): boolean;
}

declare module 'timers' {
  const all: {
    setTimeout: typeof setTimeout;
    setInterval: typeof setInterval;
    setImmediate: typeof setImmediate;
    clearTimeout: typeof clearTimeout;
    clearInterval: typeof clearInterval;
    clearImmediate: typeof clearImmediate;
    promises: typeof import('timers/promises');
  };
  export = all;
}

declare module 'timers/promises' {
  interface Options {
    signal?: AbortSignal;
  }
  export function setTimeout<T>(millis?: number, value?: T, options?: Options): Promise<T>;
  export function setImmediate<T>(value?: T, options?: Options): Promise<T>;
  export function setInterval<T>(millis?: number, value?: T, options?: Options): AsyncIterableIterator<T>;
}

declare module 'console' {
  const all: typeof console;
  export = all;
}

// Other modules, such as those in the operator's folder, are not checked.
declare module '*';

declare module 'node:assert' { import all = require('assert'); export = all; }
declare module 'node:assert/strict' { import all = require('assert/strict'); export = all; }
declare module 'node:buffer' { export * from 'buffer'; }
declare module 'node:console' { import all = require('console'); export = all; }
declare module 'node:crypto' { export * from 'crypto'; }
declare module 'node:diagnostics_channel' { export * from 'diagnostics_channel'; }
declare module 'node:events' { import all = require('events'); export = all; }
declare module 'node:http' { export * from 'http'; }
declare module 'node:https' { export * from 'https'; }
declare module 'node:os' { export * from 'os'; }
declare module 'node:path' { import all = require('path'); export = all; }
declare module 'node:path/posix' { import all = require('path/posix'); export = all; }
declare module 'node:process' { import all = require('process'); export = all; }
declare module 'node:punycode' { export * from 'punycode'; }
declare module 'node:querystring' { export * from 'querystring'; }
declare module 'node:stream' { import all = require('stream'); export = all; }
declare module 'node:stream/consumers' { export * from 'stream/consumers'; }
declare module 'node:stream/promises' { export * from 'stream/promises'; }
declare module 'node:stream/web' { import all = require('stream/web'); export = all; }
declare module 'node:string_decoder' { export * from 'string_decoder'; }
declare module 'node:timers' { import all = require('timers'); export = all; }
declare module 'node:timers/promises' { export * from 'timers/promises'; }
declare module 'node:tty' { export * from 'tty'; }
declare module 'node:url' { export * from 'url'; }
declare module 'node:util' { export * from 'util'; }
declare module 'node:util/types' { import all = require('util/types'); export = all; }
declare module 'node:zlib' { export * from 'zlib'; }
