/** The functions that generated validators check formats with, by name, for who judges values while code is planned. */
import * as emails from '../../runtime/format-email.js';
import * as hostnames from '../../runtime/format-hostname.js';
import * as idnEmails from '../../runtime/format-idn-email.js';
import * as pointers from '../../runtime/format-json-pointer.js';
import * as expressions from '../../runtime/format-regex.js';
import * as uris from '../../runtime/format-uri.js';
import * as uriTemplates from '../../runtime/format-uri-template.js';
import * as formats from '../../runtime/formats.js';
import { numberFormats, textFormats } from '../checks/formats.js';

const checks: Readonly<Record<string, unknown>> = {
  ...formats,
  ...emails,
  ...idnEmails,
  ...hostnames,
  ...uris,
  ...uriTemplates,
  ...pointers,
  ...expressions,
};

/** Whether a text or a number is of a format; every value is of one that is not checked. */
export function hasFormat(format: string, value: string | number): boolean {
  const known = typeof value === 'string' ? textFormats.get(format) : numberFormats.get(format);
  const check = known === undefined ? undefined : checks[known.name];
  return typeof check !== 'function' || check(value) === true;
}
