// SPDX-License-Identifier: 0BSD
import type { ClientOptions } from './client.js';
import { own } from './parameters.js';

/** The server of a call where the document gives servers names; the call goes before the client, a URL before a name. */
export function chooseServer(
  { servers }: { readonly servers?: Readonly<Record<string, string>> },
  choice: string | undefined,
  client: ClientOptions<object, string>,
): string | undefined {
  const named = (name: string | undefined): string | undefined =>
    name === undefined ? undefined : (own(servers, name) as string | undefined);
  return named(choice) ?? choice ?? client.baseUrl ?? named(client.server);
}
