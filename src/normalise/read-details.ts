/** What a description says about itself: info, tags, external documentation, examples and links. */
import { type Address, childAddress, quote } from '../diagnostics.js';
import type { Contact, Example, ExternalDocs, Info, License, Link, Tag } from '../ir/details.js';
import { isObject } from '../json-object.js';
import { extensionsOf, Members, present } from './json.js';
import { readServer } from './read-servers.js';
import type { Reading } from './reading.js';

export function readInfo(reading: Reading, root: Members): Info {
  const found = reading.section(root, 'info');
  if (!found) {
    if (!root.has('info')) reading.report.report('keyword-missing', 'a description needs "info"', root.at);
    return { title: '', version: '', at: childAddress(root.at, 'info'), extensions: {} };
  }
  const info = reading.members(found);
  const version = info.raw('version');
  return {
    title: info.string('title') ?? '',
    // A number here has been reported by load: YAML reads an unquoted 1.0 as one.
    version: typeof version === 'number' ? String(version) : (info.string('version') ?? ''),
    ...present({
      summary: info.text('summary'),
      description: info.text('description'),
      termsOfService: info.string('termsOfService'),
      contact: readContact(reading, info),
      license: readLicense(reading, info),
    }),
    at: found.at,
    extensions: extensionsOf(info.object),
  };
}

function readContact(reading: Reading, info: Members): Contact | undefined {
  const contact = reading.object(info, 'contact');
  return (
    contact && {
      ...present({ name: contact.string('name'), url: contact.string('url'), email: contact.string('email') }),
      extensions: extensionsOf(contact.object),
    }
  );
}

function readLicense(reading: Reading, info: Members): License | undefined {
  const license = reading.object(info, 'license');
  return (
    license && {
      ...present({
        name: license.string('name'),
        identifier: license.string('identifier'),
        url: license.string('url'),
      }),
      extensions: extensionsOf(license.object),
    }
  );
}

export function readExternalDocs(reading: Reading, owner: Members): ExternalDocs | undefined {
  if (!owner.has('externalDocs')) return undefined;
  const docs = reading.object(owner, 'externalDocs');
  const url = docs?.string('url');
  if (!docs || url === undefined) return undefined;
  return { url, ...present({ description: docs.text('description') }), extensions: extensionsOf(docs.object) };
}

/** The tags that the root declares; a parent that is none, or that leads back, is reported and left out. */
export function readTags(reading: Reading, root: Members): readonly Tag[] {
  const tags = (reading.list(root, 'tags') ?? []).flatMap(({ value, at }): readonly Tag[] => {
    if (!isObject(value)) {
      reading.report.report('type-mismatch', 'a tag must be an object', at);
      return [];
    }
    const tag = new Members(value, at, reading.report);
    const name = tag.string('name');
    if (name === undefined) return [];
    return [
      {
        name,
        ...present({
          summary: tag.text('summary'),
          description: tag.text('description'),
          externalDocs: readExternalDocs(reading, tag),
          parent: tag.string('parent'),
          kind: tag.string('kind'),
        }),
        at,
        extensions: extensionsOf(value),
      },
    ];
  });
  return withSoundParents(reading, tags);
}

function withSoundParents(reading: Reading, tags: readonly Tag[]): readonly Tag[] {
  const parents = new Map(tags.map(({ name, parent }) => [name, parent]));
  return tags.map((tag) => {
    const { parent, at } = tag;
    if (parent === undefined) return tag;
    const fault = parentFault(tag.name, parents);
    if (fault === undefined) return tag;
    reading.report.report('tag-parent', fault, childAddress(at, 'parent'));
    const { parent: _dropped, ...rest } = tag;
    return rest;
  });
}

function parentFault(name: string, parents: ReadonlyMap<string, string | undefined>): string | undefined {
  const seen = new Set([name]);
  for (let next = parents.get(name); next !== undefined; next = parents.get(next)) {
    if (next === name) return `the tag ${quote(name)} is a part of itself`;
    // A circle further up is told where it closes.
    if (seen.has(next)) return undefined;
    seen.add(next);
    if (!parents.has(next) && seen.size === 2) return `the parent ${quote(next)} of the tag ${quote(name)} is no tag`;
  }
  return undefined;
}

/** `example` and `examples` of a media type, a parameter or a header. */
export function readExamples(reading: Reading, owner: Members): readonly Example[] {
  const single = owner.raw('example');
  if (single === undefined && !owner.has('examples')) return noExamples;
  const found: Example[] = [];
  if (single !== undefined) {
    found.push({ value: { value: single }, at: childAddress(owner.at, 'example'), extensions: {} });
  }
  // In JSON Schema `examples` is a list of values, and some write it so here too.
  if (Array.isArray(owner.raw('examples'))) {
    for (const { value, at } of reading.list(owner, 'examples') ?? []) {
      found.push({ value: { value }, at, extensions: {} });
    }
    return found;
  }
  for (const { key, value, at } of reading.entries(owner, 'examples')) {
    const example = reading.follow(value, at);
    if (example) found.push(readExample(reading.members(example), key));
  }
  return found;
}

const noExamples: readonly Example[] = [];

function readExample(example: Members, name: string): Example {
  const value = example.raw('dataValue') ?? example.raw('value');
  return {
    name,
    ...present({
      summary: example.text('summary'),
      description: example.text('description'),
      value: value === undefined ? undefined : { value },
      serializedValue: example.string('serializedValue'),
      externalValue: example.string('externalValue'),
    }),
    at: example.at,
    extensions: extensionsOf(example.object),
  };
}

export function readLinks(reading: Reading, response: Members): readonly Link[] {
  return reading.entries(response, 'links').flatMap(({ key, value, at }) => {
    const found = reading.follow(value, at);
    return found ? [readLink(reading, key, reading.members(found), found.at)] : [];
  });
}

function readLink(reading: Reading, name: string, link: Members, at: Address): Link {
  const body = link.raw('requestBody');
  const server = link.has('server') ? reading.object(link, 'server') : undefined;
  return {
    name,
    ...present({
      operationId: link.string('operationId'),
      operationRef: link.string('operationRef'),
      requestBody: body === undefined ? undefined : { value: body },
      description: link.text('description'),
      server: server && readServer(reading, server),
    }),
    parameters: link.objectMember('parameters') ?? {},
    at,
    extensions: extensionsOf(link.object),
  };
}
