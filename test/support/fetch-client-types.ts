/**
 * What a client for `paths` types in the style of openapi-fetch asks of them, in our own words: which paths have a method,
 * what a call must be given, and what it yields. A text, because it is compiled beside generated code.
 */
export const fetchClientTypes = `
export type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch' | 'trace';
export type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
export declare function holds<T extends true>(): T;

/** The paths that must have a method: an optional member does not count. */
export type PathsWith<P, M extends Method> = { [K in keyof P]: P[K] extends { [_ in M]: unknown } ? K : never }[keyof P];
export type Required_<T> = { [K in keyof T]-?: {} extends Pick<T, K> ? never : K }[keyof T];
type Values<T, K> = T[keyof T & K];
type AnyMedia = \`\${string}/\${string}\`;
type Success = 200 | 201 | 202 | 203 | 204 | 205 | 206 | 207 | '2XX';

type Content<R, S> = { [K in keyof R & S]: R[K] extends { content: infer C } ? Values<C, AnyMedia> : undefined }[keyof R & S];
type ResponsesOf<O> = O extends { responses: infer R } ? R : never;
type ParamsOf<O> = O extends { parameters: infer P } ? ([Required_<P>] extends [never] ? { params?: P } : { params: P }) : never;
type BodyOf<O> = O extends { requestBody: { content: infer C } } ? { body: Values<C, AnyMedia> }
  : O extends { requestBody?: { content: infer C } } ? { body?: Values<C, AnyMedia> } : { body?: never };
type Init<O> = ParamsOf<O> & BodyOf<O>;

export type Call<P, M extends Method> = <K extends PathsWith<P, M>>(
  path: K,
  ...init: [Required_<Init<P[K][M & keyof P[K]]>>] extends [never] ? [init?: Init<P[K][M & keyof P[K]]>] : [init: Init<P[K][M & keyof P[K]]>]
) => Promise<
  | { data: Content<ResponsesOf<P[K][M & keyof P[K]]>, Success>; error?: undefined; response: Response }
  | { data?: undefined; error: Content<ResponsesOf<P[K][M & keyof P[K]]>, Exclude<keyof ResponsesOf<P[K][M & keyof P[K]]>, Success>>; response: Response }
>;

export interface FetchClient<P> {
  GET: Call<P, 'get'>;
  PUT: Call<P, 'put'>;
  POST: Call<P, 'post'>;
  DELETE: Call<P, 'delete'>;
  PATCH: Call<P, 'patch'>;
}
`;
